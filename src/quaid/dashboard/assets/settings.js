// How the memory is kept: index, model, folders, health, and every setting with where it comes from.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { read, write } from "./api.js";
import { Problem, Time, fail, toast, useChanges, useLoaded } from "./ui.js";

const LOOK = 3000; // milliseconds between two looks at what is being embedded

/** A button whose work takes a while. */
function Work({ title, busy, work, ...more }) {
  const [running, run] = useState(false);
  const begin = async () => {
    run(true);
    try { await work(); } catch (error) { fail(error); }
    run(false);
  };
  return html`<button disabled=${running} onClick=${begin} ...${more}>${running ? busy : title}</button>`;
}

function Index({ stats, model, again }) {
  const progress = model?.progress;
  const isOff = progress?.background === "off";
  useEffect(() => {
    if (!progress || progress.embedded >= progress.texts) return undefined;
    const timer = setTimeout(again, LOOK);
    return () => clearTimeout(timer);
  });
  const rebuild = async () => {
    if (!confirm("Read every file again, and make the index anew? Pages stay as they are.")) return;
    await write("rebuild", {});
    toast("The index is made anew");
    again();
  };
  const examine = async () => {
    const found = await write("validate", { all: true });
    toast(found.findings.length ? `${found.findings.length} findings; \`quaid validate\` lists them` : "Everything is sound");
  };
  return html`<section class="card" aria-label="Memory"><h2>Memory</h2><table><tbody>
      <tr><th scope="row">Pages</th><td>${stats.counts.pages.toLocaleString("en")}</td></tr><tr><th scope="row">Chunks</th><td>${stats.counts.chunks.toLocaleString("en")}</td></tr>
      <tr><th scope="row">File</th><td>${stats.path}, ${(stats.bytes / 1e6).toFixed(1)} MB</td></tr>
      <tr><th scope="row">Model</th><td>${model ? `${model.name}, ${model.ready ? "ready" : "not ready"}` : "none: search is by words"}</td></tr>
      ${progress && html`<tr><th scope="row">Embedded</th><td><progress aria-label="Embedded texts" max=${progress.texts || 1} value=${progress.embedded} /> ${progress.embedded.toLocaleString("en")} of ${progress.texts.toLocaleString("en")}${progress.embedded < progress.texts && progress.seconds_left ? `, about ${Math.ceil(progress.seconds_left / 60)} min left` : ""}
        ${progress.embedded < progress.texts && html` <button class="small" onClick=${() => write("embed", isOff ? { resume: true } : { pause: true }).then(again, fail)}>${isOff ? "Go on" : "Pause"}</button>`}</td></tr>`}
    </tbody></table><div class="bar"><${Work} id="rebuild" title="Rebuild index" busy="Rebuilding…" work=${rebuild} /><${Work} id="examine" title="Check health" busy="Checking…" work=${examine} /></div></section>`;
}

function Collections({ collections, again }) {
  const sync = (name) => async () => { await write("collection sync", { name }); toast(`${name} is in step`); again(); };
  return html`<section class="card scroll" aria-label="Collections" tabindex="0"><h2>Collections</h2><table><thead><tr><th scope="col">Name</th><th scope="col">Pages</th><th scope="col" class="wide">Folder</th><th scope="col">Last sync</th><td></td></tr></thead>
    <tbody>${collections.map((each) => html`<tr><td>${each.name} <span class="chip">${each.profile}</span>${each.alarm && html`<p class="doubt">${each.alarm}</p>`}</td><td>${each.pages.toLocaleString("en")}</td><td class="dim small wide">${each.folder || "in the memory"}</td><td><${Time} at=${each.synced_at} /></td>
      <td>${each.folder && html`<${Work} title="Sync" busy="Syncing…" work=${sync(each.name)} />`}</td></tr>`)}</tbody></table></section>`;
}

function Setting({ setting, again }) {
  const [value, setValue] = useState(String(setting.value));
  useEffect(() => setValue(String(setting.value)), [setting.value]);
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
  const [stats, model, collections, config] = await Promise.all([
    read("stats", {}, signal), read("model status", {}, signal).catch(() => null), read("collection list", {}, signal), read("config list", {}, signal),
  ]);
  return { stats, model, collections: collections.collections, settings: config.settings };
}

export function Settings() {
  const { data, error, again } = useLoaded(load, []);
  const [words, setWords] = useState("");
  useChanges(again, []);
  if (!data) return html`<${Problem} error=${error} />`;
  const shown = data.settings.filter((each) => `${each.key} ${each.meaning}`.toLowerCase().includes(words.toLowerCase()));
  return html`<h1 class="skip">Settings</h1><div class="stack"><${Problem} error=${error} /><${Index} stats=${data.stats} model=${data.model} again=${again} /><${Collections} collections=${data.collections} again=${again} />
    <section class="card" aria-label="Settings"><h2>Settings</h2><input type="search" aria-label="Find a setting" placeholder="Find a setting" value=${words} onInput=${(e) => setWords(e.target.value)} />
      <ul class="list gap">${shown.map((each) => html`<${Setting} key=${each.key} setting=${each} again=${again} />`)}</ul></section></div>`;
}
