// Tables of pages, by collection, folder, type, tag and actor; several can be changed at once.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { newSession, read, write } from "./api.js";
import { PageLink, Problem, Time, fail, go, pageAddress, toast, useChanges, useLoaded } from "./ui.js";

const SIZE = 50;
const FILTERS = ["collection", "under", "type", "tag", "by"];
const SORTS = [["title", "Title"], ["slug", "Name"], ["updated", "Changed"]];

function Filters({ values, change }) {
  const { data } = useLoaded(async (signal) => {
    const [stats, tags] = await Promise.all([read("stats", {}, signal), read("tags", {}, signal)]);
    return { collection: Object.keys(stats.collections), type: Object.keys(stats.types), tag: Object.keys(tags.counts).slice(0, 500), by: ["human", "agent", "program", "edit", "git", "import", "token"] };
  }, []);
  return html`<div class="bar">${["collection", "type", "tag", "by"].map((name) => html`<select aria-label=${name === "by" ? "Last written by" : `Only this ${name}`} value=${values[name]} onChange=${(e) => change({ [name]: e.target.value, ...(name === "collection" ? { under: "" } : {}) })}>
    <option value="">${name === "by" ? "by anybody" : `every ${name}`}</option>${[...new Set([...(data?.[name] || []), ...(values[name] ? [values[name]] : [])])].map((each) => html`<option value=${each} selected=${each === values[name]}>${each}</option>`)}</select>`)}</div>`;
}

function Folders({ values, change }) {
  const { data } = useLoaded((signal) => read("folders", { under: values.under, collection: values.collection }, signal), [values.under, values.collection]);
  const parts = values.under ? values.under.split("/") : [];
  return html`<nav class="card" aria-label="Folders"><h2>Folders</h2>
    <div class="bar small"><button class="plain" onClick=${() => change({ under: "" })}>all</button>${parts.map((part, n) => html`<span>/ <button class="plain" onClick=${() => change({ under: parts.slice(0, n + 1).join("/") })}>${part}</button></span>`)}</div>
    <ul class="list">${(data?.folders || []).map((each) => html`<li><button class="plain" data-step onClick=${() => change({ under: each.folder })}>${each.folder.split("/").at(-1)}/</button> <span class="dim small">${each.pages.toLocaleString("en")}</span></li>`)}</ul></nav>`;
}

/** Do something to each page, as one session: it can be undone as one. */
async function together(pages, what, work, again) {
  const session = newSession("bulk");
  let done = 0;
  const failures = [];
  for (const page of pages) {
    try { await work(page, session); done += 1; } catch (error) { failures.push(`${page.slug}: ${error.message}`); }
  }
  again();
  const text = `${what} ${done} ${done === 1 ? "page" : "pages"}${failures.length ? `; not ${failures.length}: ${failures[0]}` : ""}`;
  toast(text, done ? () => write("undo", { session, yes: true }).then(() => { toast("Taken back"); again(); }, fail) : undefined);
}

const nameOf = (page) => `${page.collection}::${page.slug}`;

function Bulk({ pages, again }) {
  const tag = () => {
    const name = prompt(`Tag for ${pages.length} pages`);
    if (name) together(pages, "Tagged", (page, session) => write("tag", { slug: nameOf(page), tag: name, page_version: page.version }, session), again);
  };
  const move = () => {
    const folder = prompt(`Folder for ${pages.length} pages`);
    if (folder) together(pages, "Moved", (page, session) => write("mv", { slug: nameOf(page), to: `${folder.replace(/\/+$/, "")}/${page.slug.split("/").at(-1)}`, page_version: page.version }, session), again);
  };
  const remove = () => together(pages, "Removed", (page, session) => write("rm", { slug: nameOf(page), page_version: page.version }, session), again);
  return html`<div class="bar" id="bulk" role="toolbar" aria-label="Selected pages"><strong>${pages.length} selected</strong><button onClick=${tag}>Tag</button><button onClick=${move}>Move</button><button class="danger" onClick=${remove}>Remove</button></div>`;
}

function NewPage() {
  const create = async () => {
    const slug = prompt("Name of the new page, such as people/alice");
    if (!slug) return;
    const type = prompt("Its type: person, company, meeting, project, concept…", "concept");
    if (!type) return;
    try { const made = await write("new", { slug, type }); go(pageAddress(made.slug || slug, "?edit")); } catch (error) { fail(error); }
  };
  return html`<button onClick=${create}>New page</button>`;
}

export function Browse({ query }) {
  const values = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) || ""]));
  const sort = query.get("sort") || "updated", offset = Number(query.get("offset")) || 0;
  const [chosen, choose] = useState(new Set());
  const keys = [...FILTERS.map((name) => values[name]), sort, offset];
  const { data, error, again } = useLoaded((signal) => read("list", { ...values, sort, limit: SIZE, offset: offset || "" }, signal), keys);
  useChanges(again, keys);
  useEffect(() => choose(new Set()), keys);
  const change = (more) => {
    const all = { ...values, sort, ...("offset" in more ? {} : { offset: "" }), ...more };
    go(`/browse?${new URLSearchParams(Object.entries(all).filter(([, value]) => value))}`);
  };
  const toggle = (page) => { const next = new Set(chosen); next.delete(nameOf(page)) || next.add(nameOf(page)); choose(next); };
  const pages = data?.pages || [], selected = pages.filter((page) => chosen.has(nameOf(page)));
  const done = () => { choose(new Set()); again(); };
  return html`<h1 class="skip">Browse</h1><div class="bar"><${Filters} values=${values} change=${change} /><${NewPage} /></div><${Problem} error=${error} />
    ${selected.length > 0 && html`<${Bulk} pages=${selected} again=${done} />`}
    <div class="grid pages"><div class="card scroll" tabindex="0" role="region" aria-label="Pages"><table><thead><tr>
        <td><input type="checkbox" aria-label="All of these" checked=${pages.length > 0 && selected.length === pages.length} onChange=${(e) => choose(new Set(e.target.checked ? pages.map(nameOf) : []))} /></td>
        ${SORTS.map(([name, title]) => html`<th scope="col" class=${name === "slug" ? "wide" : ""} aria-sort=${sort === name ? (name === "updated" ? "descending" : "ascending") : "none"}><button onClick=${() => change({ sort: name })}>${title}${sort === name ? (name === "updated" ? " ↓" : " ↑") : ""}</button></th>`)}<th scope="col" class="wide">Type</th></tr></thead>
      <tbody>${pages.map((page) => html`<tr key=${nameOf(page)} class=${chosen.has(nameOf(page)) ? "here" : ""}><td><input type="checkbox" aria-label=${`Select ${page.slug}`} checked=${chosen.has(nameOf(page))} onChange=${() => toggle(page)} /></td>
        <td><${PageLink} slug=${nameOf(page)} title=${page.title} data-step /></td><td class="dim small wide">${page.slug}</td><td><${Time} at=${page.updated_at} /></td><td class="dim wide nowrap">${page.type}</td></tr>`)}</tbody></table>
      ${data && !pages.length && html`<p class="dim">No pages.</p>`}
      <div class="bar"><button disabled=${!offset} onClick=${() => change({ offset: Math.max(0, offset - SIZE) || "" })}>Before</button><span class="dim small">${pages.length ? `${offset + 1} to ${offset + pages.length}` : ""}</span><button disabled=${!data?.more} onClick=${() => change({ offset: offset + SIZE })}>More</button></div></div>
      <${Folders} values=${values} change=${change} /></div>`;
}
