// How the memory is kept: index, model, folders, health, and every setting with where it comes from.
import { html, useState } from "./vendor/htm-preact.js";
import { get, read, write } from "./api.js";
import { Collections } from "./collections.js";
import { begin, isOver, useEnded, useJobs } from "./jobs.js";
import { Problem, Time, counted, fail, toast, useChanges, useDraft, useLoaded } from "./ui.js";

const FAMILY = ":MODEL"; // how names end of models whose own name a setting or the command line gives
const number = (count) => count.toLocaleString("en");

function Index({ stats, collections }) {
  const { jobs } = useJobs();
  const busy = jobs.some((job) => job.operation === "rebuild" && !isOver(job));
  const synced = collections.map((each) => each.synced_at).filter(Boolean).sort().at(-1);
  const files = collections.filter((each) => each.folder).reduce((sum, each) => sum + each.pages, 0);
  const rebuild = () => confirm("Read every file again, and make the index anew? Pages stay as they are.") && begin("rebuild");
  return html`<section class="card" aria-label="Memory"><h2>Memory</h2><table><tbody>
      <tr><th scope="row">Pages</th><td>${number(stats.counts.pages)}, ${number(files)} of them files</td></tr><tr><th scope="row">Chunks</th><td>${number(stats.counts.chunks)}</td></tr>
      <tr><th scope="row">Last sync</th><td>${synced ? html`<${Time} at=${synced} />` : "no folders"}</td></tr>
      <tr><th scope="row">File</th><td>${stats.path}, ${(stats.bytes / 1e6).toFixed(1)} MB</td></tr>
    </tbody></table><div class="bar"><button id="rebuild" disabled=${busy} onClick=${rebuild}>${busy ? "Rebuilding…" : "Rebuild index"}</button><button onClick=${() => begin("compact")}>Compact the file</button></div></section>`;
}

// A model that needs files is fetched only after the person has read that.
function Choice({ line, texts, busy }) {
  const change = () => {
    const fetches = line.missing ? "\nIts files are downloaded first." : "";
    if (confirm(`Search with ${line.name}? ${counted(texts - line.embedded, "text")} must be embedded with it first; until then, and if it fails or is cancelled, the model stays the one that it is.${fetches}`)) begin("model use", { name: line.name, yes: true });
  };
  return html`<li data-model=${line.name}><div class="bar tight"><strong>${line.name}</strong>${line.active ? html`<span class="chip">in use</span>` : html`<button class="small" disabled=${busy} onClick=${change}>Use</button>`}</div>
    <div class="dim small">${line.dimensions ? `${line.dimensions} dimensions, ` : ""}${number(line.embedded)} of ${number(texts)} texts embedded${line.missing ? `; needs ${line.missing}` : ""}</div></li>`;
}

function Model({ model, list }) {
  const [open, setOpen] = useState(false);
  const { jobs, embedding } = useJobs();
  const busy = jobs.some((job) => job.operation === "model use" && !isOver(job));
  const state = model && (model.ready ? (model.embedded < model.texts ? `ready; ${number(model.embedded)} of ${number(model.texts)} texts embedded` : "ready") : `semantic search is off: it needs ${model.problem}`);
  return html`<section class="card" aria-label="Model"><h2><span>Model</span><button class="small" aria-expanded=${open} onClick=${() => setOpen(!open)}>Change</button></h2><table><tbody>
      <tr><th scope="row">In use</th><td>${model ? model.name : "none: search is by words"}</td></tr><tr><th scope="row">State</th><td id="model-state">${state || "no model can be had"}${embedding?.problem && html`<p class="doubt">${embedding.problem}</p>`}</td></tr>
      ${model && html`<tr><th scope="row">Reranker</th><td>${model.reranker}</td></tr>`}</tbody></table>
    ${open && list && html`<ul class="list gap" aria-label="Models">${list.models.filter((line) => line.kind === "embedder" && !line.name.endsWith(FAMILY)).map((line) => html`<${Choice} line=${line} texts=${list.texts} busy=${busy} />`)}</ul>`}
    ${model && model.embedded < model.texts && html`<div class="bar"><button onClick=${() => begin("embed")}>Embed all now</button></div>`}</section>`;
}

function Health() {
  const { jobs } = useJobs();
  const job = jobs.find((each) => each.operation === "validate");
  const report = job?.state === "done" ? job.result : null;
  const busy = job && !isOver(job);
  const { data, error } = useLoaded(async (signal) => (await get("/api/dashboard/health", signal)).checks, [job?.state]);
  return html`<section class="card" aria-label="Health"><h2>Health</h2><${Problem} error=${error} />
    <ul class="list" id="checks">${data?.map((each) => html`<li data-grade=${each.grade}><span class=${`chip ${each.grade === "ok" ? "" : "agent"}`}>${each.grade}</span> <strong>${each.name}</strong> ${each.message}${each.hint && each.grade !== "ok" && html`<div class="dim small">${each.hint}</div>`}</li>`)}</ul><div class="bar"><button id="examine" disabled=${busy} onClick=${() => begin("validate", { all: true })}>${busy ? "Checking…" : "Check health"}</button>
      ${report?.findings.some((each) => each.repairable) && html`<button id="repair" disabled=${busy} onClick=${() => begin("validate", { all: true, repair: true })}>Repair what is safe</button>`}</div>
    <div aria-live="polite">${job?.state === "failed" && html`<p class="error">${job.message} ${job.hint}</p>`}
      ${report && (report.findings.length ? html`<ul class="list" id="findings">${report.findings.slice(0, 200).map((each) => html`<li><span class="chip">${each.check}</span> ${each.message}<div class="dim small">${each.repair}</div></li>`)}</ul>${report.findings.length > 200 && html`<p class="dim small">and ${number(report.findings.length - 200)} more: <code>quaid validate --all</code></p>`}` : html`<p class="verdict good">Everything is sound: ${report.checks.join(", ")}.</p>`)}
      ${report?.repaired > 0 && html`<p>${counted(report.repaired, "finding")} repaired.</p>`}</div></section>`;
}

function Setting({ setting, again }) {
  const [value, setValue] = useDraft(String(setting.value));
  const changed = value !== String(setting.value);
  const save = (event) => {
    event.preventDefault();
    write("config set", { key: setting.key, value }).then(() => { toast(`${setting.key} is ${value}`); again(); }, fail);
  };
  const unset = () => write("config set", { key: setting.key, unset: true }).then(() => { toast(`${setting.key} is as it was`); again(); }, fail);
  return html`<li data-setting=${setting.key}><form class="bar" onSubmit=${save}><strong>${setting.key}</strong><input type="text" aria-label=${setting.key} value=${value} onInput=${(e) => setValue(e.target.value)} />
      ${changed && html`<button class="main">Save</button>`}<span class="chip">${setting.origin}</span>${setting.origin === "memory" && html`<button type="button" class="plain small" onClick=${unset}>unset</button>`}</form><div class="dim small">${setting.meaning}</div></li>`;
}

async function load(signal) {
  const [stats, model, list, collections, config] = await Promise.all([
    read("stats", {}, signal), read("model status", {}, signal).catch(() => null), read("model list", {}, signal).catch(() => null), read("collection list", {}, signal), read("config list", {}, signal),
  ]);
  return { stats, model, list, collections: collections.collections, settings: config.settings };
}

export function Settings() {
  const { data, error, again } = useLoaded(load, []);
  const [words, setWords] = useState("");
  useChanges(again, []);
  useEnded(again, []);
  if (!data) return html`<${Problem} error=${error} />`;
  const shown = data.settings.filter((each) => `${each.key} ${each.meaning}`.toLowerCase().includes(words.toLowerCase()));
  return html`<h1 class="skip">Settings</h1><div class="stack"><${Problem} error=${error} /><div class="grid halves"><${Index} stats=${data.stats} collections=${data.collections} /><${Model} model=${data.model} list=${data.list} /></div><${Collections} collections=${data.collections} again=${again} /><${Health} />
    <section class="card" aria-label="Settings"><h2>Settings</h2><input type="search" aria-label="Find a setting" placeholder="Find a setting" value=${words} onInput=${(e) => setWords(e.target.value)} />
      <ul class="list gap">${shown.map((each) => html`<${Setting} key=${each.key} setting=${each} again=${again} />`)}</ul></section></div>`;
}
