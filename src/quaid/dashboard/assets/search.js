// Words while somebody types, meaning once they pause.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { read } from "./api.js";
import { PageLink, Problem, go } from "./ui.js";

const PAUSE = 400; // milliseconds after which meaning is asked too

// A snippet marks words as **word**: they are shown so, and nothing else in it is markup.
export const Snippet = ({ text }) => html`<div class="passage" tabindex="0">${text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 ? html`<mark>${part}</mark>` : part))}</div>`;

const groupOf = (hit) => (hit.kind === "conversation" ? "Conversations" : hit.slug.startsWith("daily/") ? "Daily" : hit.collection);

function grouped(hits) {
  const groups = new Map();
  for (const hit of hits) groups.set(groupOf(hit), [...(groups.get(groupOf(hit)) || []), hit]);
  return [...groups];
}

function Hit({ hit }) {
  const line = hit.passage?.lines || hit.lines || "";
  const why = hit.why ? hit.why.join(", ") : hit.every_word ? "every word" : "some words";
  const title = hit.title || hit.slug;
  return html`<li>${hit.kind === "conversation" ? html`<strong>${title}</strong>` : html`<${PageLink} slug=${`${hit.collection}::${hit.slug}`} title=${title} extra=${line ? `?line=${line}` : ""} data-step />`}
    <span class="dim small"> ${hit.kind === "conversation" ? "" : hit.slug}${line ? `:${line}` : ""} · ${why} · ${hit.score.toFixed(2)}</span>
    <${Snippet} text=${hit.snippet || hit.passage?.text || (hit.content || hit.summary || "").slice(0, 400)} /></li>`;
}

export function Search({ query }) {
  const [text, setText] = useState(query.get("q") || "");
  const [filters, setFilters] = useState({ type: query.get("type") || "", collection: query.get("collection") || "" });
  const [words, setWords] = useState(null);
  const [meaning, setMeaning] = useState(null);
  const [error, setError] = useState(null);
  const [known, setKnown] = useState({ types: {}, collections: {} });
  useEffect(() => { read("stats").then(setKnown, () => {}); }, []);
  useEffect(() => { setText(query.get("q") || ""); }, [query.get("q")]);
  useEffect(() => {
    setMeaning(null);
    setError(null);
    if (!text.trim()) { setWords(null); return undefined; }
    const stop = new AbortController(), given = (set) => (answer) => stop.signal.aborted || set(answer.results);
    const failed = (problem) => stop.signal.aborted || setError(problem);
    read("search", { query: text, limit: 30, ...filters }, stop.signal).then(given(setWords), failed);
    const timer = setTimeout(() => {
      go(`/search?${new URLSearchParams(Object.entries({ q: text, ...filters }).filter(([, value]) => value))}`, true);
      read("query", { question: text, depth: "section", limit: 20, token_budget: 12000, ...filters }, stop.signal).then(given(setMeaning), failed);
    }, PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text, filters.type, filters.collection]);
  const hits = meaning || words;
  const choose = (name) => (event) => setFilters({ ...filters, [name]: event.target.value });
  return html`<h1 class="skip">Search</h1><div class="bar"><input type="search" id="search" aria-label="Search the memory" placeholder="Search the memory" value=${text} onInput=${(e) => setText(e.target.value)} autofocus />
      ${[["collection", known.collections], ["type", known.types]].map(([name, values]) => html`<select aria-label=${`Only this ${name}`} value=${filters[name]} onChange=${choose(name)}><option value="">every ${name}</option>${Object.keys(values).map((each) => html`<option value=${each}>${each}</option>`)}</select>`)}</div>
    <${Problem} error=${error} /><p class="dim small" role="status" id="how">${hits ? `${hits.length} ${hits.length === 1 ? "result" : "results"}, ${meaning ? "by words and meaning" : "by words"}` : "Words while you type, meaning when you pause."}</p>
    <div class="stack">${grouped(hits || []).map(([name, group]) => html`<section class="card" aria-label=${name}><h2>${name} (${group.length})</h2><ul class="list">${group.map((hit) => html`<${Hit} key=${hit.slug} hit=${hit} />`)}</ul></section>`)}</div>`;
}
