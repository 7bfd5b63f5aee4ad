// What the memory knows, what was done with it, what needs somebody.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { newSession, read, send, write } from "./api.js";
import { Attention } from "./attention.js";
import { Sessions } from "./sessions.js";
import { PageLink, Problem, fail, go, toast, useChanges, useDraft, useLoaded } from "./ui.js";

const lineOf = (answer) => answer.passage?.lines || answer.lines;

// The line that matters, where the answer says which; else all of its section.
function passageOf({ passage, content, lines, summary }) {
  if (passage?.text || !content || !passage?.item) return passage?.text || content || summary;
  const first = Number(lines.split("-")[0]);
  const [from, to] = passage.lines.split("-").map(Number);
  return content.split("\n").slice(from - first, (to || from) - first + 1).join("\n").trim() || content;
}

function Answer({ answer }) {
  return html`<li><div><${PageLink} slug=${answer.slug} title=${answer.title} extra=${lineOf(answer) && answer.kind === "page" ? `?line=${lineOf(answer)}` : ""} data-step />
      <span class="dim small"> ${answer.passage?.heading || ""} · ${answer.why.join(", ")}</span>${answer.weak && html` <span class="chip">hardly answers</span>`}</div>
    ${(answer.facts || []).map((fact) => html`<p class="fact">${fact.subject ? `${fact.subject} ` : ""}${fact.name}: ${fact.value} <span class="dim small">${fact.valid_from ? `since ${fact.valid_from}` : ""}</span></p>`)}
    ${(answer.superseded || []).map((old) => html`<p class="doubt">No longer: ${old.name}: ${old.value}${old.now ? `; now ${old.now}` : ""}</p>`)}
    ${(answer.contradictions || []).map((doubt) => html`<p class="doubt">In doubt: ${doubt.description}</p>`)}
    <div class="passage" tabindex="0">${passageOf(answer)}</div></li>`;
}

function Ask({ asked }) {
  const [text, setText] = useDraft(asked);
  const { data, error } = useLoaded((signal) => (asked ? read("query", { question: asked, depth: "section" }, signal) : Promise.resolve(null)), [asked]);
  // The memory keeps no words of a question that it cannot answer; the person does.
  useEffect(() => { if (data?.gap) send("/api/dashboard/questions", { question: data.question }).catch(() => {}); }, [data]);
  const submit = (event) => { event.preventDefault(); if (text.trim()) go(`/?ask=${encodeURIComponent(text.trim())}`); };
  const shown = data && data.question === asked ? data : null;
  return html`<section class="card" aria-label="Ask"><form class="ask" onSubmit=${submit}>
      <input type="text" id="ask" aria-label="Ask your memory" placeholder="Ask your memory" value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" /><button class="main">Ask</button></form>
    <div aria-live="polite" id="answer"><${Problem} error=${error} />
      ${asked && !shown && !error && html`<p class="dim">Looking…</p>`}
      ${shown && html`<p class=${`verdict ${shown.known === false ? "" : "good"}`}>${shown.known === false || !shown.results.length ? (shown.results.length ? "Not known. Nearest:" : "Not known.") : `Found, ${Math.round(shown.confidence * 100)} % sure`}</p>
        ${shown.notices.map((notice) => html`<p class="dim small">${notice}</p>`)}
        <ul class="list">${shown.results.map((answer) => html`<${Answer} answer=${answer} />`)}</ul>`}</div></section>`;
}

function Capture({ done }) {
  const [text, setText] = useState("");
  const [plan, setPlan] = useState(null);
  useEffect(() => {
    setPlan(null);
    if (!text.trim()) return undefined;
    const timer = setTimeout(() => write("remember", { content: text, dry_run: true }).then(setPlan, (error) => setPlan({ error })), 300);
    return () => clearTimeout(timer);
  }, [text]);
  const keep = async (event) => {
    event.preventDefault();
    const session = newSession("capture");
    try {
      const said = await write("remember", { content: text }, session);
      setText("");
      toast(said.message, () => write("undo", { session, yes: true }).then(() => { toast("Taken back"); done(); }, fail));
      done();
    } catch (error) { fail(error); }
  };
  return html`<section class="card" aria-label="Remember"><h2>Remember</h2><form class="ask" onSubmit=${keep}>
      <input type="text" id="capture" aria-label="Something to remember" placeholder="Something to remember" value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" />
      <button disabled=${!plan || plan.error || !plan.success}>Keep</button></form>
    <div aria-live="polite" id="plan">${plan?.error && html`<${Problem} error=${plan.error} />`}
      ${plan?.places?.map((place) => html`<p class="small">Goes to <strong>${place.path}</strong>${place.section ? `, section ${place.section}` : ""}: “${place.texts.join("; ")}” <span class="dim">${place.reasons[0]}</span></p>`)}
      ${plan && !plan.error && !plan.places?.length && html`<p class="small dim">${plan.message}</p>`}</div></section>`;
}

const FOLDERS = ["lists", "reference", "knowledge", "daily"];
function Notebook({ notebook }) {
  const found = FOLDERS.map((name) => notebook.folders.find((each) => each.folder === name) || { folder: name, files: 0, notes: [] });
  return html`<section class="card" aria-label="Notebook"><h2><span>Notebook</span><a class="small" href="/search">Search</a></h2>
    <table><tbody>${found.map((each) => html`<tr><td class="nowrap"><a data-step href=${`/browse?collection=${encodeURIComponent(notebook.notebook)}&under=${each.folder}`}>${each.folder}/</a></td><td class="nowrap">${each.files} ${each.files === 1 ? "file" : "files"}</td>
      <td class="dim">${each.folder === "daily" ? (each.notes[0] ? `Latest: ${each.notes.map((note) => note.title).sort().at(-1)}` : "") : each.notes.slice(0, 3).map((note) => note.title).join(", ")}</td></tr>`)}</tbody></table>
    <p><a href=${`/browse?collection=${encodeURIComponent(notebook.notebook)}`}>Open notebook</a></p></section>`;
}

function Today({ log }) {
  return html`<section class="card" aria-label="Today"><h2>Today</h2>${log
    ? html`<div class="doc brief" dangerouslySetInnerHTML=${{ __html: log.html }} />`
    : html`<p class="dim">Nothing is logged yet.</p>`}</section>`;
}

function Recent({ sessions, again }) {
  return html`<section class="card" aria-label="Recent changes"><h2><span>Recent changes</span><a class="small" href="/agents">Agents</a></h2>${sessions.length ? html`<${Sessions} sessions=${sessions} again=${again} />` : html`<p class="dim">None yet.</p>`}</section>`;
}

const quiet = (promise) => promise.catch(() => null);
async function load(signal) {
  const notebook = await quiet(read("notebook list", {}, signal));
  const day = new Date().toLocaleDateString("sv");
  const log = notebook && (await quiet(read("render", { slug: `${notebook.notebook}::daily/${day}` }, signal)));
  return { notebook, log };
}

export function Home({ query }) {
  const { data, error, again } = useLoaded(load, []);
  const activity = useLoaded((signal) => read("activity", { limit: 8 }, signal), []);
  const refresh = () => { again(); activity.again(); };
  useChanges(refresh, []);
  return html`<h1 class="skip">Home</h1><div class="stack"><${Ask} asked=${query.get("ask") || ""} /><${Problem} error=${error} />
    <div class="grid"><div class="stack">${data?.notebook && html`<${Capture} done=${refresh} />`}<${Attention} />${activity.data && html`<${Recent} sessions=${activity.data.sessions} again=${refresh} />`}</div>
      <div class="stack">${data?.notebook && html`<${Notebook} notebook=${data.notebook} /><${Today} log=${data.log} />`}</div></div></div>`;
}
