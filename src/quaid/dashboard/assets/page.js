// One page: read, edited, its facts, links and versions.
import { html, useState } from "./vendor/htm-preact.js";
import { get, read, write } from "./api.js";
import { Document } from "./document.js";
import { Diff, Editor } from "./editor.js";
import { Actor, PageLink, Problem, Time, fail, go, pageAddress, toast, useChanges, useLoaded } from "./ui.js";

// Links for programs of this machine; nothing is run by the server.
const EDITORS = [["VS Code", "vscode://file"], ["Zed", "zed://file"]];

function Versions({ name, version }) {
  const { data, error } = useLoaded((signal) => read("history", { slug: name, limit: 50 }, signal), [name, version]);
  const [chosen, choose] = useState(null);
  const difference = useLoaded((signal) => (chosen ? read("diff", { slug: name, from: chosen - 1, to: chosen }, signal) : Promise.resolve(null)), [chosen]);
  return html`<section class="card" aria-label="Versions"><h2>Versions</h2><${Problem} error=${error} />
    <ul class="list">${(data?.versions || []).map((each) => html`<li>${each.version} <${Actor} by=${each.by || "not known"} /> <${Time} at=${each.written_at} />
      ${each.version > 1 && html` <button class="plain small" onClick=${() => choose(chosen === each.version ? null : each.version)}>changes</button>`}
      ${chosen === each.version && (difference.error ? html`<${Problem} error=${difference.error} />` : difference.data && html`<${Diff} text=${difference.data.diff} />`)}</li>`)}</ul></section>`;
}

const days = ({ valid_from: from, valid_until: until }) => [from && `since ${from}`, until && `until ${until}`].filter(Boolean).join(", ");
const hasEnded = (link, today) => !!link.valid_until && link.valid_until < today;

/** Where it leads, and when that held: links with a meaning first, those that have ended last. */
function Links({ links }) {
  const [whole, setWhole] = useState(false);
  const today = new Date().toLocaleDateString("sv");
  const rank = (link) => (hasEnded(link, today) ? 2 : link.relationship === "mentions" ? 1 : 0);
  const sorted = [...links].sort((a, b) => rank(a) - rank(b) || (a.valid_from || "").localeCompare(b.valid_from || ""));
  if (!links.length) return null;
  return html`<section class="card" aria-label="Links"><h2>Links</h2><ul class="list">${sorted.slice(0, whole ? undefined : 12).map((link) => html`<li class=${hasEnded(link, today) ? "ended" : ""}>${link.to ? html`<${PageLink} slug=${link.to} title=${link.title || link.to} />` : html`<span class="missing" title="no such page yet">${link.target}</span>`}
    ${link.relationship !== "mentions" && html` <span class="chip">${link.relationship}</span>`} <span class="dim small">${hasEnded(link, today) ? "ended; " : ""}${days(link)}</span></li>`)}</ul>${links.length > 12 && !whole && html`<button class="plain small" onClick=${() => setWhole(true)}>all ${links.length}</button>`}</section>`;
}

function Raw({ name }) {
  const { data } = useLoaded(() => write("raw", { slug: name }), [name]);
  if (!data?.sources.length) return null;
  return html`<section class="card" aria-label="Raw data"><h2>Raw data</h2>${data.sources.map((each) => html`<details><summary>${each.source} <${Time} at=${each.fetched_at} /></summary><pre class="raw" tabindex="0">${JSON.stringify(each.data, null, 2)}</pre></details>`)}</section>`;
}

function OpenIn({ name }) {
  const { data } = useLoaded((signal) => get(`/api/dashboard/place?slug=${encodeURIComponent(name)}`, signal), [name]);
  if (!data?.file) return null;
  const path = data.file.split("/").map(encodeURIComponent).join("/");
  const copy = () => navigator.clipboard.writeText(data.file).then(() => toast("The path is copied"), () => prompt("Its path", data.file));
  return html`<details class="menu" id="open-in"><summary class="button">Open in…</summary><div class="card">${data.obsidian && html`<a href=${`obsidian://open?path=${encodeURIComponent(data.file)}`}>Obsidian</a>`}
    ${EDITORS.map(([title, scheme]) => html`<a href=${`${scheme}${path}`}>${title}</a>`)}<button class="plain" onClick=${copy}>Copy its path</button></div></details>`;
}

function Beside({ page, facts, backlinks, links, headings }) {
  const fields = Object.entries(page.frontmatter || {}).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return html`<aside class="stack" aria-label="About this page">
    <section class="card"><h2>About</h2><table><tbody>
      <tr><th scope="row">Type</th><td><a href=${`/browse?type=${encodeURIComponent(page.type)}`}>${page.type}</a></td></tr>
      <tr><th scope="row">In</th><td><a href=${`/browse?collection=${encodeURIComponent(page.collection)}`}>${page.collection}</a></td></tr>
      ${page.tags.length > 0 && html`<tr><th scope="row">Tags</th><td>${page.tags.map((tag) => html`<a class="chip" href=${`/browse?tag=${encodeURIComponent(tag)}`}>${tag}</a> `)}</td></tr>`}
      ${fields.filter(([name]) => !["type", "title"].includes(name)).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${String(value)}</td></tr>`)}
      <tr><th scope="row">Changed</th><td><${Time} at=${page.updated_at} /></td></tr></tbody></table></section>
    ${facts.length > 0 && html`<section class="card"><h2>Facts that hold</h2><ul class="list">${facts.map((fact) => html`<li>${fact.subject} <span class="dim">${fact.predicate}</span> ${fact.object} <span class="dim small">${fact.valid_from ? `since ${fact.valid_from}` : ""}</span></li>`)}</ul></section>`}
    ${headings.length > 2 && html`<nav class="card" aria-label="On this page"><h2>On this page</h2><ul class="list">${headings.slice(0, 40).map((each) => html`<li><a href=${pageAddress(page.name, `?line=${each.line}`)}>${each.text}</a></li>`)}</ul></nav>`}
    <${Links} links=${links} />
    <section class="card" aria-label="Links to this page"><h2>Links to this page</h2>${backlinks.length
      ? html`<ul class="list">${backlinks.map((link) => html`<li><${PageLink} slug=${link.from} title=${link.title} data-step /> ${link.relationship !== "mentions" && html`<span class="chip">${link.relationship}</span>`} <span class="dim small">${days(link)}</span><div class="dim small">${link.context}</div></li>`)}</ul>`
      : html`<p class="dim">None.</p>`}</section>
    <${Raw} name=${page.name} /><${Versions} name=${page.name} version=${page.version} /></aside>`;
}

async function load(name, signal) {
  const page = await read("get", { slug: name }, signal);
  const [shown, facts, backlinks, links] = await Promise.all([
    read("render", { slug: name }, signal), read("facts", { page: name, temporal: "current", limit: 50 }, signal), read("backlinks", { slug: name, limit: 100 }, signal), read("links", { slug: name }, signal),
  ]);
  return { page: { ...page, name, format: shown.format }, shown, facts: facts.facts, backlinks: backlinks.links, links: links.links };
}

export function PageView({ path, query }) {
  const { data, error, again } = useLoaded((signal) => load(path, signal), [path]);
  const [changedElsewhere, setChanged] = useState(false);
  const editing = query.has("edit");
  useChanges((change) => { if (change.kind === "gap" || change.page === data?.page.slug) (editing ? setChanged(true) : again()); }, [data, editing]);
  const restore = () => write("restore", { slug: path }).then(() => { toast("Restored"); again(); }, fail);
  if (error?.message.includes("is removed")) return html`<div class="card"><h1>${path}</h1><p>This page is removed.</p><button class="main" onClick=${restore}>Restore</button></div>`;
  if (error) return html`<${Problem} error=${error} />`;
  if (!data) return html`<p class="dim">Loading…</p>`;
  const { page } = data;
  const stop = () => { setChanged(false); go(pageAddress(path)); again(); };
  if (editing) return html`<h1>${page.title}</h1>${changedElsewhere && html`<p class="doubt" role="status">This page was changed elsewhere while you edit it.</p>`}<${Editor} page=${page} done=${stop} />`;
  const rename = async () => {
    const to = prompt("New name", page.slug);
    if (!to || to === page.slug) return;
    try { const moved = await write("mv", { slug: path, to, page_version: page.version }); toast("Renamed; links follow"); go(pageAddress(moved.slug || to)); } catch (failure) { fail(failure); }
  };
  const remove = async () => {
    try {
      await write("rm", { slug: path, page_version: page.version });
      toast("Removed", () => write("restore", { slug: page.slug }).then(() => { toast("Restored"); go(pageAddress(path)); }, fail));
      go("/browse");
    } catch (failure) { fail(failure); }
  };
  return html`<div class="bar"><span class="dim small">${page.collection} / ${page.slug}</span></div>
    <div class="bar"><button data-key="e" onClick=${() => go(pageAddress(path, "?edit"))}>Edit <kbd>e</kbd></button><a class="button" href=${`/graph?page=${encodeURIComponent(path)}`}>Graph</a><${OpenIn} name=${path} /><button onClick=${rename}>Rename</button><button class="danger" onClick=${remove}>Remove</button></div>
    <div class="grid"><div class="card"><${Document} page=${page} html=${data.shown.html} line=${query.get("line") || ""} words=${query.get("words") || ""} changed=${again} /></div>
      <${Beside} page=${page} facts=${data.facts} backlinks=${data.backlinks} links=${data.links} headings=${data.shown.headings} /></div>`;
}
