// Words while somebody types, meaning once they pause.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { read } from "./api.js";
import { PageLink, Problem, counted, go, useDraft } from "./ui.js";

const PAUSE = 400; // milliseconds after which meaning is asked too
const FILTERS = ["collection", "type", "since"];

// A snippet marks words as **word**: they are shown so, and nothing else in it is markup.
export const Snippet = ({ text }) => html`<div class="passage" tabindex="0">${text.split(/\*\*(.+?)\*\*/).map((part, n) => (n % 2 ? html`<mark>${part}</mark>` : part))}</div>`;

// As `recall` groups: notebooks first, then their daily logs; then the other collections, then what was said.
function groupOf(hit, notebooks) {
  if (hit.kind === "conversation") return [9, "Conversations"];
  if (!notebooks.has(hit.collection)) return [5, hit.collection];
  return hit.slug.startsWith("daily/") ? [1, "Daily"] : [0, "Notebook"];
}

export function grouped(hits, notebooks) {
  const groups = new Map();
  for (const hit of hits) {
    const [rank, name] = groupOf(hit, notebooks);
    if (!groups.has(name)) groups.set(name, { rank, name, hits: [] });
    groups.get(name).hits.push(hit);
  }
  return [...groups.values()].sort((a, b) => a.rank - b.rank);
}

// Where the words stand is known by the line where meaning was asked, else by the words.
const placeOf = (line, text) => (line ? `?line=${line}` : `?words=${encodeURIComponent(text)}`);

function Hit({ hit, text }) {
  const line = hit.passage?.lines || hit.lines || "";
  const why = hit.why ? hit.why.join(", ") : hit.every_word ? "every word" : "some words";
  const title = hit.title || hit.slug;
  const said = hit.kind === "conversation";
  return html`<li>${said ? html`<a href=${`/conversations/${encodeURIComponent(hit.slug)}${hit.turn ? `?turn=${hit.turn}` : ""}`} data-step>${title}</a>` : html`<${PageLink} slug=${`${hit.collection}::${hit.slug}`} title=${title} extra=${placeOf(line, text)} data-step />`}
    <span class="dim small"> ${said ? (hit.turn ? `turn ${hit.turn}` : "") : hit.slug}${!said && line ? `:${line}` : ""}${hit.passage?.heading ? ` · ${hit.passage.heading}` : ""} · ${why} · ${hit.score.toFixed(2)}</span>${hit.weak && html` <span class="chip">hardly answers</span>`}
    <${Snippet} text=${hit.snippet || hit.passage?.text || (hit.content || hit.summary || "").slice(0, 400)} /></li>`;
}

async function knownNames() {
  const [stats, list] = await Promise.all([read("stats"), read("collection list")]);
  return { types: Object.keys(stats.types), collections: Object.keys(stats.collections), notebooks: new Set(list.collections.filter((each) => each.profile === "notebook").map((each) => each.name)) };
}

export function Search({ query }) {
  const [text, setText] = useDraft(query.get("q") || "");
  const [filters, setFilters] = useState(Object.fromEntries(FILTERS.map((name) => [name, query.get(name) || ""])));
  const [words, setWords] = useState(null);
  const [meaning, setMeaning] = useState(null);
  const [error, setError] = useState(null);
  const [known, setKnown] = useState({ types: [], collections: [], notebooks: new Set() });
  useEffect(() => { knownNames().then(setKnown, () => {}); }, []);
  useEffect(() => {
    setMeaning(null);
    setError(null);
    if (!text.trim()) { setWords(null); return undefined; }
    const stop = new AbortController(), given = (set) => (answer) => stop.signal.aborted || set({ text, results: answer.results });
    const failed = (problem) => stop.signal.aborted || setError(problem);
    read("search", { query: text, limit: 30, ...filters }, stop.signal).then(given(setWords), failed);
    const timer = setTimeout(() => {
      go(`/search?${new URLSearchParams(Object.entries({ q: text, ...filters }).filter(([, value]) => value))}`, true);
      read("query", { question: text, depth: "section", limit: 20, token_budget: 12000, unfinished: true, ...filters }, stop.signal).then(given(setMeaning), failed);
    }, PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text, ...FILTERS.map((name) => filters[name])]);
  const found = meaning || words, hits = found?.results;
  const choose = (name) => (event) => setFilters({ ...filters, [name]: event.target.value });
  return html`<h1 class="skip">Search</h1><div class="bar"><input type="search" id="search" aria-label="Search the memory" placeholder="Search the memory" value=${text} onInput=${(e) => setText(e.target.value)} autofocus />
      ${[["collection", known.collections], ["type", known.types]].map(([name, values]) => html`<select aria-label=${`Only this ${name}`} value=${filters[name]} onChange=${choose(name)}><option value="">every ${name}</option>${values.map((each) => html`<option value=${each} selected=${each === filters[name]}>${each}</option>`)}</select>`)}
      <label class="dim small">changed since <input type="date" aria-label="Changed since" value=${filters.since} onChange=${choose("since")} /></label></div>
    <${Problem} error=${error} /><p class="dim small" role="status" id="how" data-text=${found?.text}>${hits ? `${counted(hits.length, "result")}, ${meaning ? "by words and meaning" : "by words"}` : "Words while you type, meaning when you pause."}</p>
    <div class="stack">${grouped(hits || [], known.notebooks).map(({ name, hits: group }) => html`<section class="card" aria-label=${name}><h2>${name} (${group.length})</h2><ul class="list">${group.map((hit) => html`<${Hit} key=${`${hit.collection} ${hit.slug} ${hit.turn}`} hit=${hit} text=${text} />`)}</ul></section>`)}</div>`;
}
