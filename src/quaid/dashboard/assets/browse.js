// Tables of pages, by collection, folder, type, tag and actor; several can be changed at once.
import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { newSession, read, write } from "./api.js";
import { PageLink, Problem, Time, fail, go, pageAddress, toast, useChanges, useLoaded } from "./ui.js";

const SIZE = 50;
const FILTERS = ["collection", "under", "type", "tag", "by"];
const KINDS = ["human", "agent", "program", "edit", "git", "import", "token"];
const SORTS = [["title", "Title"], ["slug", "Name"], ["updated", "Changed"]];

async function knownNames(signal) {
  const [stats, tags, activity] = await Promise.all([read("stats", {}, signal), read("tags", {}, signal), read("activity", { limit: 50 }, signal)]);
  const names = activity.sessions.map((each) => each.by).filter((by) => !KINDS.includes(by));
  return { collection: Object.keys(stats.collections), type: Object.keys(stats.types), tag: Object.keys(tags.counts).slice(0, 500), by: [...KINDS, ...new Set(names)] };
}

function Filters({ values, data, change }) {
  return html`<div class="bar">${["collection", "type", "tag", "by"].map((name) => html`<select aria-label=${name === "by" ? "Last written by" : `Only this ${name}`} value=${values[name]} onChange=${(e) => change({ [name]: e.target.value, ...(name === "collection" ? { under: "" } : {}) })}>
    <option value="">${name === "by" ? "by anybody" : `every ${name}`}</option>${[...new Set([...(data?.[name] || []), ...(values[name] ? [values[name]] : [])])].map((each) => html`<option value=${each} selected=${each === values[name]}>${each}</option>`)}</select>`)}</div>`;
}

function Folders({ values, change, after }) {
  const { data } = useLoaded((signal) => (after ? read("folders", { under: values.under, collection: values.collection }, signal) : Promise.resolve(null)), [values.under, values.collection, after]);
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

function Bulk({ pages, again, clear }) {
  const tag = () => {
    const name = prompt(`Tag for ${pages.length} pages`);
    if (name) together(pages, "Tagged", (page, session) => write("tag", { slug: nameOf(page), tag: name, page_version: page.version }, session), again);
  };
  const move = () => {
    const folder = prompt(`Folder for ${pages.length} pages`);
    if (folder) together(pages, "Moved", (page, session) => write("mv", { slug: nameOf(page), to: `${folder.replace(/\/+$/, "")}/${page.slug.split("/").at(-1)}`, page_version: page.version }, session), again);
  };
  const remove = () => together(pages, "Removed", (page, session) => write("rm", { slug: nameOf(page), page_version: page.version }, session), again);
  return html`<div class="bar" id="bulk" role="toolbar" aria-label="Selected pages"><strong>${pages.length} selected</strong><button onClick=${tag}>Tag</button><button onClick=${move}>Move</button><button class="danger" onClick=${remove}>Remove</button><button class="plain small" onClick=${clear}>select none</button></div>`;
}

const TYPES = ["person", "company", "project", "meeting", "decision", "concept", "source", "note"];

function NewPage({ under, types }) {
  const [open, setOpen] = useState(false);
  const dialog = useRef();
  useEffect(() => { if (open) dialog.current.showModal(); }, [open]);
  const create = async (event) => {
    event.preventDefault();
    const { slug, type, title } = Object.fromEntries(new FormData(event.target));
    try {
      const made = await write("new", { slug: slug.trim(), type, ...(title.trim() ? { title: title.trim() } : {}) });
      setOpen(false);
      go(pageAddress(made.slug || slug, "?edit"));
    } catch (error) { fail(error); }
  };
  return html`<button onClick=${() => setOpen(true)}>New page</button>${open && html`<dialog ref=${dialog} id="new-page" aria-label="New page" onClose=${() => setOpen(false)}><h2>New page</h2>
    <form class="stack" onSubmit=${create}><label>Name <input type="text" name="slug" required placeholder="people/alice" defaultValue=${under ? `${under}/` : ""} /></label><label>Title <input type="text" name="title" placeholder="made from the name" /></label>
      <label>From the template of <select name="type">${[...new Set([...TYPES, ...types])].map((each) => html`<option value=${each} selected=${each === "concept"}>${each}</option>`)}</select></label>
      <div class="bar"><button class="main">Make it</button><button type="button" onClick=${() => dialog.current.close()}>Cancel</button></div></form></dialog>`}`;
}

export function Browse({ query }) {
  const values = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) || ""]));
  const sort = query.get("sort") || "updated", offset = Number(query.get("offset")) || 0;
  const [chosen, choose] = useState(new Map()); // by name, also those of other parts of the list
  const keys = [...FILTERS.map((name) => values[name]), sort, offset];
  const { data, error, again } = useLoaded((signal) => read("list", { ...values, sort, limit: SIZE, offset: offset || "" }, signal), keys);
  // The pages come first: what counts all of them waits until they stand there.
  const known = useLoaded((signal) => (data ? knownNames(signal) : Promise.resolve(null)), [!!data]);
  useChanges(again, keys);
  useEffect(() => choose(new Map()), keys.slice(0, FILTERS.length));
  const change = (more) => {
    const all = { ...values, sort, ...("offset" in more ? {} : { offset: "" }), ...more };
    go(`/browse?${new URLSearchParams(Object.entries(all).filter(([, value]) => value))}`);
  };
  const mark = (marked, on) => { const next = new Map(chosen); for (const page of marked) on ? next.set(nameOf(page), page) : next.delete(nameOf(page)); choose(next); };
  const pages = data?.pages || [];
  const fresh = new Map(pages.map((page) => [nameOf(page), page]));
  const selected = [...chosen].map(([name, page]) => fresh.get(name) || page);
  const done = () => { choose(new Map()); again(); };
  return html`<h1 class="skip">Browse</h1><div class="bar"><${Filters} values=${values} data=${known.data} change=${change} /><${NewPage} under=${values.under} types=${known.data?.type || []} /></div><${Problem} error=${error} />
    ${chosen.size > 0 && html`<${Bulk} pages=${selected} again=${done} clear=${() => choose(new Map())} />`}
    <div class="grid pages"><div class="card scroll" tabindex="0" role="region" aria-label="Pages"><table><thead><tr>
        <td><input type="checkbox" aria-label="All of these" checked=${pages.length > 0 && pages.every((page) => chosen.has(nameOf(page)))} onChange=${(e) => mark(pages, e.target.checked)} /></td>
        ${SORTS.map(([name, title]) => html`<th scope="col" class=${name === "slug" ? "wide" : ""} aria-sort=${sort === name ? (name === "updated" ? "descending" : "ascending") : "none"}><button onClick=${() => change({ sort: name })}>${title}${sort === name ? (name === "updated" ? " ↓" : " ↑") : ""}</button></th>`)}<th scope="col" class="wide">Type</th></tr></thead>
      <tbody>${pages.map((page) => html`<tr key=${nameOf(page)} data-version=${page.version} class=${chosen.has(nameOf(page)) ? "here" : ""}><td><input type="checkbox" aria-label=${`Select ${page.slug}`} checked=${chosen.has(nameOf(page))} onChange=${(e) => mark([page], e.target.checked)} /></td>
        <td><${PageLink} slug=${nameOf(page)} title=${page.title} data-step /></td><td class="dim small wide">${page.slug}</td><td><${Time} at=${page.updated_at} /></td><td class="dim wide nowrap">${page.type}</td></tr>`)}</tbody></table>
      ${data && !pages.length && html`<p class="dim">No pages.</p>`}
      <div class="bar"><button disabled=${!offset} onClick=${() => change({ offset: Math.max(0, offset - SIZE) || "" })}>Before</button><span class="dim small">${pages.length ? `${offset + 1} to ${offset + pages.length}` : ""}</span><button disabled=${!data?.more} onClick=${() => change({ offset: offset + SIZE })}>More</button></div></div>
      <${Folders} values=${values} change=${change} after=${!!data} /></div>`;
}
