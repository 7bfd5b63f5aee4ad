// Work that goes on in the server: begun by any view, shown in every view, asked about while there is some.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { get, send } from "./api.js";
import { counted, fail } from "./ui.js";

const SOON = 700, LATER = 20000; // milliseconds between two looks, while something is under way and else
const ADDRESS = "/api/dashboard/jobs";
const TITLES = { rebuild: "Rebuild", validate: "Check of health", compact: "Compacting", sync: "Exchange with other machines", embed: "Embedding", "collection sync": "Sync", "collection ignore": "Sync", "collection add": "Attaching", "model use": "Change of model", "conversations index": "Reading conversations" };
const OVER = ["done", "failed", "cancelled"];
let state = { jobs: [], embedding: null };
let timer;
const listeners = new Set();

export const isOver = (job) => OVER.includes(job.state);
export const titleOf = (job) => [TITLES[job.operation] || job.operation, job.arguments.name].filter(Boolean).join(": ");
const isBusy = () => state.jobs.some((job) => !isOver(job)) || state.embedding?.background === "working";

async function look() {
  clearTimeout(timer);
  if (!document.hidden) {
    try {
      const before = new Map(state.jobs.map((job) => [job.id, job]));
      state = await get(ADDRESS);
      const ended = state.jobs.filter((job) => isOver(job) && before.get(job.id) && !isOver(before.get(job.id)));
      for (const heard of listeners) heard(state);
      if (ended.length) dispatchEvent(new CustomEvent("jobs-ended", { detail: ended }));
    } catch { /* a server that is gone is said elsewhere */ }
  }
  clearTimeout(timer);
  if (listeners.size) timer = setTimeout(look, isBusy() ? SOON : LATER);
}

/** The jobs of the server, as they are. */
export function useJobs() {
  const [now, set] = useState(state);
  useEffect(() => {
    listeners.add(set);
    look();
    document.addEventListener("visibilitychange", look);
    return () => { listeners.delete(set); document.removeEventListener("visibilitychange", look); };
  }, []);
  return now;
}

/** Call something when jobs have ended. */
export function useEnded(heard, keys) {
  useEffect(() => {
    const listener = (event) => heard(event.detail);
    addEventListener("jobs-ended", listener);
    return () => removeEventListener("jobs-ended", listener);
  }, keys);
}

export async function begin(operation, values = {}) {
  try {
    const job = await send(ADDRESS, { operation, arguments: values });
    state = { ...state, jobs: [job, ...state.jobs] };
    look();
    return job;
  } catch (error) { fail(error); return null; }
}

export const askJob = (id, wish) => send(`${ADDRESS}/${id}/${wish}`, {}).then(look, fail);

export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 90) return seconds > 30 ? "about a minute left" : "less than a minute left";
  return seconds < 5400 ? `about ${Math.round(seconds / 60)} min left` : `about ${Math.round(seconds / 3600)} h left`;
}

const numbers = (done, total) => (total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : "");

// What a job has come to, in a few words.
function outcome(job) {
  if (job.state === "cancelled") return job.operation === "model use" ? "cancelled; the model is the one before" : "cancelled";
  if (job.state === "failed") return `${job.message}${job.hint ? `. ${job.hint}` : ""}`;
  const { result } = job;
  if (job.operation === "rebuild") return `${counted(result.pages, "page")} derived anew`;
  if (job.operation === "validate") return result.findings.length ? counted(result.findings.length, "finding") : "everything is sound";
  if (job.operation === "model use") return `${result.name} is used now`;
  const effects = Object.entries(result.effects || result.collections?.[0]?.effects || {}).map(([name, count]) => `${count.toLocaleString("en")} ${name}`);
  if (job.operation.startsWith("collection")) return effects.join(", ") || "nothing has changed";
  return "done";
}

function Job({ job }) {
  const over = isOver(job);
  const known = job.total ? { max: job.total, value: job.done } : {};
  return html`<li class=${job.state} data-job=${job.operation}><strong>${titleOf(job)}</strong>
    ${over ? html`<span>${outcome(job)}</span>` : html`<progress aria-label=${titleOf(job)} ...${known} /><span class="dim small">${job.state === "paused" ? "paused, " : ""}${[numbers(job.done, job.total), timeLeft(job.seconds_left)].filter(Boolean).join(", ")}</span>`}
    ${!over && job.can_pause && html`<button class="small" disabled=${!!job.asked} onClick=${() => askJob(job.id, job.state === "paused" ? "resume" : "pause")}>${job.state === "paused" ? "Go on" : job.asked === "pause" ? "Pausing…" : "Pause"}</button>`}
    ${!over ? html`<button class="small" disabled=${job.asked === "cancel"} onClick=${() => askJob(job.id, "cancel")}>${job.asked === "cancel" ? "Cancelling…" : "Cancel"}</button>` : html`<button class="plain small" aria-label=${`Dismiss ${titleOf(job)}`} onClick=${() => askJob(job.id, "dismiss")}>dismiss</button>`}</li>`;
}

function Embedding({ progress }) {
  const isOff = progress.background === "off";
  return html`<li data-job="embedding"><strong>Embedding</strong><progress aria-label="Embedded texts" max=${progress.texts} value=${progress.embedded} />
    <span class="dim small">${isOff ? "paused, " : ""}${numbers(progress.embedded, progress.texts)}${isOff ? "" : `, ${timeLeft(progress.seconds_left)}`}</span>
    <button class="small" onClick=${() => askJob("embedding", isOff ? "resume" : "pause")}>${isOff ? "Go on" : "Pause"}</button></li>`;
}

/** What is under way, in every view; what has ended is there until somebody has read it. */
export function JobStrip() {
  const { jobs, embedding } = useJobs();
  const shown = embedding && ["working", "off"].includes(embedding.background);
  if (!jobs.length && !shown) return null;
  return html`<section id="jobs" aria-label="Work that is under way"><ul>${jobs.map((job) => html`<${Job} key=${job.id} job=${job} />`)}${shown && html`<${Embedding} progress=${embedding} />`}</ul></section>`;
}
