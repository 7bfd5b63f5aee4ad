// One page: read, edited, its facts, links and versions.
import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { ask, newSession, read, write } from "./api.js";
import { Actor, PageLink, Problem, Time, fail, go, pageAddress, toast, useChanges, useLoaded } from "./ui.js";

const undoing = (session, then) => () => write("undo", { session, yes: true }).then(() => { toast("Taken back"); then(); }, fail);

export function Diff({ text }) {
  const kinds = { "+": "add", "-": "del" };
  return html`<pre class="diff" tabindex="0" aria-label="Changes">${text.split("\n").slice(2).map((line) => html`<span class=${kinds[line[0]] || ""}>${line || " "}</span>`)}</pre>`;
}

// Lines that differ, for somebody who has to decide between two texts.
function differences(mine, theirs) {
  const a = mine.split("\n"), b = theirs.split("\n");
  let start = 0, end = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return ["", "", ...b.slice(start, b.length - end).map((line) => `-${line}`), ...a.slice(start, a.length - end).map((line) => `+${line}`)].join("\n");
}

function Document({ page, html: markup, line, changed }) {
  const element = useRef();
  useEffect(() => {
    const [from, to] = line.split("-").map(Number);
    const pieces = [...element.current.querySelectorAll(":is(p, li, tr, pre, h1, h2, h3, h4, h5, h6)[data-line]")];
    const meant = pieces.filter((each) => each.dataset.line >= from && each.dataset.line <= (to || from));
    const lit = meant.length ? meant : pieces.filter((each) => each.dataset.line <= from).slice(-1);
    for (const each of lit) each.classList.add("lit");
    lit[0]?.scrollIntoView({ block: "center" });
    if (new URLSearchParams(location.search).get("images") === "1") for (const button of element.current.querySelectorAll(".remote-image")) show(button);
  }, [markup, line]);
  const show = (button) => {
    const image = new Image();
    image.referrerPolicy = "no-referrer";
    image.alt = button.dataset.alt;
    image.src = button.dataset.src;
    button.replaceWith(image);
  };
  const tick = async (box) => {
    const lines = page.content.split("\n"), place = Number(box.dataset.line) - 1;
    lines[place] = lines[place].replace(/\[[ xX-]\]/, box.checked ? (page.format === "org" ? "[X]" : "[x]") : "[ ]");
    const session = newSession("tick");
    try {
      await write("put", { slug: page.name, content: lines.join("\n"), expected_version: page.version }, session);
      toast(box.checked ? "Done" : "Not done", undoing(session, changed));
    } catch (error) { fail(error); }
    changed();
  };
  const click = (event) => {
    // Where others may be told what is read, the person says so, and the page is loaded anew with that right.
    if (event.target.closest(".remote-image")) location.assign(`${location.pathname}?images=1`);
    if (event.target.matches("input[type=checkbox]")) tick(event.target);
  };
  return html`<article class="doc" ref=${element} onClick=${click} dangerouslySetInnerHTML=${{ __html: markup }} />`;
}

function Editor({ page, done }) {
  const [text, setText] = useState(page.content);
  const [base, setBase] = useState(page.version);
  const [preview, setPreview] = useState("");
  const [conflict, setConflict] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => ask("render", { slug: page.name, content: text }).then((shown) => setPreview(shown.html), () => {}), 200);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const leaving = (event) => { if (text !== page.content) event.preventDefault(); };
    addEventListener("beforeunload", leaving);
    return () => removeEventListener("beforeunload", leaving);
  }, [text]);
  const save = async () => {
    const session = newSession("edit");
    try {
      await write("put", { slug: page.name, content: text, expected_version: base }, session);
      toast("Saved", undoing(session, done));
      done();
    } catch (error) {
      if (error.status !== 409) return fail(error);
      setConflict(await read("get", { slug: page.name }));
    }
  };
  const key = (event) => {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) { event.preventDefault(); save(); }
    if (event.key === "Escape" && text === page.content) done();
  };
  return html`<section aria-label="Edit"><div class="bar"><button class="main" id="save" onClick=${save}>Save <kbd>Ctrl-S</kbd></button><button onClick=${() => (text === page.content || confirm("Leave without saving?")) && done()}>Cancel</button></div>
    ${conflict && html`<div class="card" id="conflict" role="alert"><h2>Somebody else has changed this page</h2><p>It is at version ${conflict.version} now; you began with ${base}. Nothing was saved. What they have and you have not is red; what you have is green.</p>
      <${Diff} text=${differences(text, conflict.content)} />
      <div class="bar"><button id="theirs" onClick=${() => { setText(conflict.content); setBase(conflict.version); setConflict(null); }}>Take theirs</button>
      <button id="mine" onClick=${() => { setBase(conflict.version); setConflict(null); toast("Save again to replace theirs with yours"); }}>Keep mine, on top of theirs</button></div></div>`}
    <div class="edit"><textarea aria-label="Text of the page" spellcheck="true" value=${text} onInput=${(e) => setText(e.target.value)} onKeyDown=${key} autofocus />
      <div class="card doc" role="region" aria-label="Preview" dangerouslySetInnerHTML=${{ __html: preview }} /></div></section>`;
}

function Versions({ name, version }) {
  const { data, error } = useLoaded((signal) => read("history", { slug: name, limit: 50 }, signal), [name, version]);
  const [chosen, choose] = useState(null);
  const difference = useLoaded((signal) => (chosen ? read("diff", { slug: name, from: chosen - 1, to: chosen }, signal) : Promise.resolve(null)), [chosen]);
  return html`<section class="card" aria-label="Versions"><h2>Versions</h2><${Problem} error=${error} />
    <ul class="list">${(data?.versions || []).map((each) => html`<li>${each.version} <${Actor} by=${each.by || "not known"} /> <${Time} at=${each.written_at} />
      ${each.version > 1 && html` <button class="plain small" onClick=${() => choose(chosen === each.version ? null : each.version)}>changes</button>`}
      ${chosen === each.version && (difference.error ? html`<${Problem} error=${difference.error} />` : difference.data && html`<${Diff} text=${difference.data.diff} />`)}</li>`)}</ul></section>`;
}

function Beside({ page, facts, backlinks, headings }) {
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
    <section class="card" aria-label="Links to this page"><h2>Links to this page</h2>${backlinks.length
      ? html`<ul class="list">${backlinks.map((link) => html`<li><${PageLink} slug=${link.from} title=${link.title} data-step /> ${link.relationship !== "mentions" && html`<span class="chip">${link.relationship}</span>`}<div class="dim small">${link.context}</div></li>`)}</ul>`
      : html`<p class="dim">None.</p>`}</section>
    <${Versions} name=${page.name} version=${page.version} /></aside>`;
}

async function load(name, signal) {
  const page = await read("get", { slug: name }, signal);
  const [shown, facts, backlinks] = await Promise.all([
    read("render", { slug: name }, signal), read("facts", { page: name, temporal: "current", limit: 50 }, signal), read("backlinks", { slug: name, limit: 100 }, signal),
  ]);
  return { page: { ...page, name, format: shown.format }, shown, facts: facts.facts, backlinks: backlinks.links };
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
    <div class="bar"><button data-key="e" onClick=${() => go(pageAddress(path, "?edit"))}>Edit <kbd>e</kbd></button><a class="button" target="_blank" rel="noopener" href=${`/api/dashboard/drawing?slug=${encodeURIComponent(path)}`}>Graph</a><button onClick=${rename}>Rename</button><button class="danger" onClick=${remove}>Remove</button></div>
    <div class="grid"><div class="card"><${Document} page=${page} html=${data.shown.html} line=${query.get("line") || ""} changed=${again} /></div>
      <${Beside} page=${page} facts=${data.facts} backlinks=${data.backlinks} headings=${data.shown.headings} /></div>`;
}
