// Folders that are attached: what each holds, what was left out of it, and what would become of another.
import { html, useState } from "./vendor/htm-preact.js";
import { read, write } from "./api.js";
import { begin, useEnded } from "./jobs.js";
import { Problem, Time, counted, fail, toast, useLoaded } from "./ui.js";

const number = (count) => count.toLocaleString("en");

function Patterns({ name, patterns }) {
  const [text, setText] = useState("");
  const add = (event) => {
    event.preventDefault();
    if (text.trim()) { begin("collection ignore", { name, pattern: text.trim() }); setText(""); }
  };
  return html`<h3 class="small">Left out</h3><p class="dim small">Patterns as in .gitignore. Pages of files that are left out go into quarantine, and come back with them.</p>
    <ul class="list">${patterns.map((pattern) => html`<li><code>${pattern}</code> <button class="plain small" aria-label=${`Take ${pattern} in again`} onClick=${() => begin("collection ignore", { name, pattern, remove: true })}>take in again</button></li>`)}</ul>
    <form class="bar" onSubmit=${add}><input type="text" aria-label=${`A pattern to leave out of ${name}`} placeholder="drafts/" value=${text} onInput=${(e) => setText(e.target.value)} /><button>Leave out</button></form>`;
}

function Unread({ name, problems }) {
  const all = Object.entries(problems);
  if (!all.length) return null;
  return html`<h3 class="small">Files that could not be read</h3><ul class="list unread">${all.slice(0, 100).map(([path, reason]) => html`<li><code>${path}</code> <span class="dim small">${reason}</span></li>`)}</ul>${all.length > 100 && html`<p class="dim small">and ${number(all.length - 100)} more</p>`}
    <div class="bar"><button onClick=${() => begin("collection sync", { name, thorough: true })}>Try again</button></div>`;
}

function Quarantine({ name, pages, again }) {
  if (!pages.length) return null;
  const restore = (page) => write("collection quarantine restore", { slug: `${name}::${page.slug}` }).then(() => { toast(`${page.slug} is back`); again(); }, fail);
  const discard = (page) => confirm(`Remove ${page.slug} for good, with its history? This cannot be undone.`) && write("collection quarantine discard", { slug: `${name}::${page.slug}` }).then(() => { toast(`${page.slug} is gone`); again(); }, fail);
  return html`<h3 class="small">Quarantine</h3><p class="dim small">Pages that were removed, or whose files have gone.</p><ul class="list quarantine">${pages.slice(0, 100).map((page) => html`<li><strong>${page.title || page.slug}</strong> <span class="dim small">${page.slug}, since <${Time} at=${page.since} /></span>
    <button class="small" onClick=${() => restore(page)}>Restore</button> <button class="plain small" onClick=${() => discard(page)}>remove for good</button></li>`)}</ul>${pages.length > 100 && html`<p class="dim small">and ${number(pages.length - 100)} more</p>`}`;
}

function Details({ line }) {
  const { data, error, again } = useLoaded(async (signal) => {
    const [info, quarantine] = await Promise.all([read("collection info", { name: line.name }, signal), read("collection quarantine list", { collection: line.name }, signal)]);
    return { info, pages: quarantine.pages };
  }, [line.name, line.pages, line.synced_at]);
  useEnded(again, []);
  const detach = () => confirm(`Detach ${line.name}? Its ${counted(line.pages, "page")} leave the memory with their history; the files stay as they are.`) && write("collection remove", { name: line.name }).then(() => toast(`${line.name} is detached`), fail);
  if (!data) return html`<${Problem} error=${error} />`;
  const types = Object.entries(data.info.types).map(([type, count]) => `${number(count)} ${type}`).join(", ");
  return html`<p>${types || "No pages."}${line.folder && html` <span class="dim small">from ${counted(data.info.files, "file")} in ${line.folder}</span>`}</p>
    <${Unread} name=${line.name} problems=${data.info.problems} />${line.folder && html`<${Patterns} name=${line.name} patterns=${data.info.ignore} />`}<${Quarantine} name=${line.name} pages=${data.pages} again=${again} />
    ${line.folder && !line.default && html`<div class="bar"><button class="danger" onClick=${detach}>Detach</button></div>`}`;
}

function Line({ line, again }) {
  const [open, setOpen] = useState(false);
  return html`<tr data-collection=${line.name}><td><button class="plain" aria-expanded=${open} onClick=${() => setOpen(!open)}>${line.name}</button> <span class="chip">${line.profile}</span>${line.read_only && html` <span class="chip">read-only</span>`}${line.alarm && html`<p class="doubt">${line.alarm}</p>`}</td><td>${number(line.pages)}</td><td class="dim small wide">${line.folder || "in the memory"}</td><td><${Time} at=${line.synced_at} /></td>
      <td>${line.folder && html`<button onClick=${() => begin("collection sync", { name: line.name })}>Sync</button>`}</td></tr>
    ${open && html`<tr><td colspan="5"><${Details} line=${line} again=${again} /></td></tr>`}`;
}

function Found({ found }) {
  const folders = Object.entries(found.folders);
  return html`<div id="preview" role="status"><p><strong>${counted(found.pages, "page")}</strong>, ${(found.bytes / 1e6).toFixed(1)} MB (${Object.entries(found.formats).map(([name, count]) => `${number(count)} .${name}`).join(", ") || "no notes yet"})${found.other_files > 0 ? `; ${counted(found.other_files, "other file is no page", "other files are no pages")}` : ""}. Nothing is written into the folder.</p>
    ${folders.length > 1 && html`<p class="dim small">${folders.slice(0, 12).map(([name, count]) => `${name || "at the top"} ${number(count)}`).join(" · ")}${folders.length > 12 ? ` · and ${folders.length - 12} more folders` : ""}</p>`}
    ${found.ignored.length > 0 && html`<details><summary>Left out by patterns: ${number(found.ignored.length)}</summary><ul class="list small">${found.ignored.map((path) => html`<li><code>${path}</code></li>`)}</ul></details>`}
    ${found.skipped.length > 0 && html`<details open><summary>Cannot be read: ${number(found.skipped.length)}</summary><ul class="list small">${found.skipped.map((each) => html`<li><code>${each.path}</code> <span class="dim">${each.reason}</span></li>`)}</ul></details>`}
    ${found.more > 0 && html`<p class="dim small">${number(found.more)} more paths are not listed.</p>`}
    ${found.obstacle && html`<p class="error">It cannot be attached: ${found.obstacle}. ${found.hint}</p>`}</div>`;
}

/** A folder is looked at before it is attached. */
export function Attach() {
  const [given, give] = useState({ folder: "", profile: "vault", name: "", read_only: false });
  const [found, setFound] = useState(null);
  const change = (more) => { give({ ...given, ...more }); if ("folder" in more || "profile" in more) setFound(null); };
  const look = (event) => {
    event.preventDefault();
    if (given.folder.trim()) read("collection preview", { folder: given.folder.trim(), profile: given.profile }).then((seen) => { setFound(seen); give({ ...given, name: given.name || seen.name }); }, fail);
  };
  const attach = async () => {
    if (await begin("collection add", { name: given.name, folder: found.folder, profile: given.profile, read_only: given.read_only })) { setFound(null); give({ ...given, folder: "", name: "" }); }
  };
  return html`<form class="bar" id="attach" onSubmit=${look}><input type="text" class="wider" aria-label="Folder to attach" placeholder="~/notes" value=${given.folder} onInput=${(e) => change({ folder: e.target.value })} />
      <select aria-label="What kind of folder it is" value=${given.profile} onChange=${(e) => change({ profile: e.target.value })}><option value="vault">any notes</option><option value="notebook">notebook</option><option value="kb">knowledge base</option></select><button>Look first</button></form>
    ${found && html`<${Found} found=${found} /><div class="bar"><label>Name <input type="text" value=${given.name} onInput=${(e) => change({ name: e.target.value })} /></label><label><input type="checkbox" checked=${given.read_only} onChange=${(e) => change({ read_only: e.target.checked })} /> read-only</label><button class="main" id="attach-now" disabled=${!!found.obstacle} onClick=${attach}>Attach</button></div>`}`;
}

export function Collections({ collections, again }) {
  return html`<section class="card scroll" aria-label="Collections" tabindex="0"><h2>Collections</h2><table><thead><tr><th scope="col">Name</th><th scope="col">Pages</th><th scope="col" class="wide">Folder</th><th scope="col">Last sync</th><td></td></tr></thead>
    <tbody>${collections.map((line) => html`<${Line} key=${line.name} line=${line} again=${again} />`)}</tbody></table><h3>Attach a folder</h3><${Attach} /></section>`;
}
