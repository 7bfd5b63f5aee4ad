// The graph: around a page, around what a search finds, or the whole memory.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { read } from "./api.js";
import { coloursOf, draw, visible } from "./chart.js";
import { PageLink, Problem, counted, go, pageAddress, useChanges, useDraft, useLoaded } from "./ui.js";

const NEAR = 300, EVERY = 20000; // pages of a part, and of all
const LISTED = 60;
const DAY = 86400000;
const WISHES = ["type", "relation", "collection", "day"];
const number = (count) => count.toLocaleString("en");
const nameOf = (page) => `${page.collection}::${page.slug}`;

function asked(query) {
  if (query.get("page")) return { slug: query.get("page"), depth: query.get("depth") || 2, limit: NEAR };
  if (query.get("q")) return { query: query.get("q"), limit: NEAR };
  return { limit: query.has("all") ? EVERY : NEAR };
}

function titleOf(query, data) {
  if (query.get("page")) return `Around ${data.pages.find((page) => page.middle)?.title || query.get("page")}`;
  if (query.get("q")) return `Around what has “${query.get("q")}”`;
  return data.more ? "The best connected pages" : "The whole memory";
}

/** How many of each kind there are, the most frequent first. */
function kindsOf(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function Choice({ name, title, kinds, value, change }) {
  if (kinds.length < 2 && !value) return null;
  return html`<select aria-label=${title} value=${value} onChange=${(e) => change({ [name]: e.target.value })}><option value="">every ${name}</option>${kinds.map(([kind, count]) => html`<option value=${kind} selected=${kind === value}>${kind} (${number(count)})</option>`)}</select>`;
}

/** The day on which links must hold; days before the first link and after the last say nothing. */
function Days({ links, today, value, change }) {
  const days = links.flatMap((link) => [link.valid_from, link.valid_until]).filter(Boolean).map((day) => day.slice(0, 10)).sort();
  if (!days.length) return null;
  const first = Date.parse(days[0]), last = Math.max(Date.parse(days.at(-1)), Date.parse(today));
  const spelled = (step) => new Date(first + step * DAY).toISOString().slice(0, 10);
  const every = value === "all";
  return html`<span class="bar days"><label><input type="checkbox" checked=${every} onChange=${(e) => change({ day: e.target.checked ? "all" : "" })} /> at any time</label>
    ${!every && html`<input type="range" aria-label="Day" aria-valuetext=${value || today} min="0" max=${Math.round((last - first) / DAY)} value=${Math.round((Date.parse(value || today) - first) / DAY)} onInput=${(e) => change({ day: spelled(Number(e.target.value)) })} /><output>${value || today}</output>`}</span>`;
}

function Neighbours({ data, place, links, choose }) {
  const page = data.pages[place];
  const own = links.filter((link) => link.from === place || link.to === place);
  return html`<section class="card" aria-label="Chosen page" id="chosen"><h2>${page.title || page.slug}</h2><p class="dim small">${page.type} in ${page.collection}</p>
    <div class="bar"><${PageLink} class="button" slug=${nameOf(page)} title="Open the page" /><a class="button" href=${`/graph?page=${encodeURIComponent(nameOf(page))}`}>What is around it</a><button onClick=${() => choose(null)}>Back</button></div>
    <ul class="list tall">${own.slice(0, 200).map((link) => { const other = link.from === place ? link.to : link.from; return html`<li><span class="dim small">${link.from === place ? "→" : "←"} ${link.relationship}${link.valid_from || link.valid_until ? ` (${link.valid_from || "…"} to ${link.valid_until || "now"})` : ""}</span> <button class="plain" onClick=${() => choose(other, true)}>${data.pages[other].title || data.pages[other].slug}</button></li>`; })}</ul>${own.length > 200 && html`<p class="dim small">and ${number(own.length - 200)} more</p>`}</section>`;
}

function Listed({ data, shown, colours, choose }) {
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase();
  const pages = useMemo(() => [...shown.pages].filter((place) => !wanted || `${data.pages[place].title} ${data.pages[place].slug}`.toLowerCase().includes(wanted)).sort((one, other) => data.pages[other].links - data.pages[one].links), [shown, wanted]);
  return html`<section class="card" aria-label="Pages of the map"><input type="search" id="find" aria-label="Find on the map" placeholder="Find on the map" value=${words} onInput=${(e) => setWords(e.target.value)} />
    <p class="bar legend">${[...colours].slice(0, 10).map(([type, colour]) => html`<span class="small"><svg width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill=${colour} /></svg> ${type}</span>`)}</p>
    <ul class="list tall" tabindex="0">${pages.slice(0, LISTED).map((place) => html`<li><button class="plain" data-step onClick=${() => choose(place, true)}>${data.pages[place].title || data.pages[place].slug}</button> <span class="dim small">${counted(data.pages[place].links, "link")}</span></li>`)}</ul>${pages.length > LISTED && html`<p class="dim small">and ${number(pages.length - LISTED)} more</p>`}</section>`;
}

/** The drawing itself. What it shows follows the filters; which page is chosen, the view. */
function Chart({ data, shown, place, choose }) {
  const box = useRef(), chart = useRef();
  const [failure, setFailure] = useState(null);
  const middle = data.pages.find((page) => page.middle);
  const near = useMemo(() => new Set(shown.links.flatMap((link) => (link.from === place.page ? [link.to] : link.to === place.page ? [link.from] : []))), [shown, place.page]);
  useEffect(() => {
    let gone = false;
    draw(box.current, data, { chosen: (page) => choose(page), opened: (page) => go(pageAddress(nameOf(data.pages[page]))) }).then(
      (made) => { if (gone) made.end(); else { chart.current = box.current.chart = made; made.show(shown); box.current.dataset.drawn = "true"; } },
      (error) => gone || setFailure(error),
    );
    return () => { gone = true; chart.current?.end(); chart.current = null; };
  }, [data]);
  useEffect(() => { chart.current?.show(shown); }, [shown]);
  useEffect(() => { chart.current?.choose(place.page, near, place.move); }, [place, near]);
  return html`<div class="card map-card"><div id="map" ref=${box} role="img" aria-label=${`A map of ${counted(shown.pages.size, "page")}; the list beside it has the same pages`}></div>
    ${failure && html`<p class="doubt">The map cannot be drawn here: ${failure.message}. The list has the same pages${middle && html`, and <a target="_blank" rel="noopener" href=${`/api/dashboard/drawing?slug=${encodeURIComponent(nameOf(middle))}`}>a drawing</a> what is around this one`}.</p>`}
    <div class="bar"><span class="dim small" id="count" role="status">${number(shown.pages.size)} of ${counted(data.pages.length, "page")}, ${counted(shown.links.length, "link")}</span><span class="grow"></span><button class="small" onClick=${() => chart.current?.whole()}>Show all of it</button></div></div>`;
}

function Ask({ query, change }) {
  const [text, setText] = useDraft(query.get("q") || "");
  // The field itself: who types quickly sends before what was typed has been drawn.
  const ask = (event) => { event.preventDefault(); const asked = event.target.querySelector("#around").value.trim(); if (asked) go(`/graph?q=${encodeURIComponent(asked)}`); };
  return html`<form class="bar" onSubmit=${ask}><input type="search" id="around" aria-label="Draw what is around" placeholder="Draw what is around…" value=${text} onInput=${(e) => setText(e.target.value)} /><button>Draw</button>
    <a class="button" id="whole" href="/graph?all=1" aria-current=${query.has("all") ? "true" : undefined}>Whole memory</a>
    ${query.get("page") && html`<label class="small">links away <select aria-label="Links away" value=${query.get("depth") || "2"} onChange=${(e) => change({ depth: e.target.value })}>${["1", "2", "3"].map((depth) => html`<option selected=${depth === (query.get("depth") || "2")}>${depth}</option>`)}</select></label>`}</form>`;
}

function Drawn({ data, query, change }) {
  const wish = Object.fromEntries(WISHES.map((name) => [name, query.get(name) || ""]));
  const day = wish.day === "all" ? "" : wish.day || data.day;
  const shown = useMemo(() => visible(data, { ...wish, day }), [data, wish.type, wish.relation, wish.collection, day]);
  const colours = useMemo(() => coloursOf(data.pages), [data]);
  const [place, setPlace] = useState({ page: null, move: false });
  const choose = (page, move = false) => setPlace({ page, move });
  useEffect(() => choose(null), [data]);
  const known = place.page !== null && place.page < data.pages.length && shown.pages.has(place.page);
  return html`<div class="bar"><strong>${titleOf(query, data)}</strong><span class="grow"></span><${Choice} name="type" title="Only this type" kinds=${kindsOf(data.pages.map((page) => page.type))} value=${wish.type} change=${change} /><${Choice} name="relation" title="Only this relation" kinds=${kindsOf(data.links.map((link) => link.relationship))} value=${wish.relation} change=${change} /><${Choice} name="collection" title="Only this collection" kinds=${kindsOf(data.pages.map((page) => page.collection))} value=${wish.collection} change=${change} /><${Days} links=${data.links} today=${data.day} value=${wish.day} change=${change} /></div>
    <div class="grid map-grid"><${Chart} data=${data} shown=${shown} place=${place} choose=${choose} />${known ? html`<${Neighbours} data=${data} place=${place.page} links=${shown.links} choose=${choose} />` : html`<${Listed} data=${data} shown=${shown} colours=${colours} choose=${choose} />`}</div>`;
}

export function GraphView({ query }) {
  const wanted = asked(query);
  const { data, error, again } = useLoaded((signal) => read("map", wanted, signal), Object.values(wanted));
  const [isOld, setOld] = useState(false); // a map that moved by itself would be lost to whoever looks at it
  useChanges(() => setOld(true), []);
  useEffect(() => setOld(false), [data]);
  const change = (more) => {
    const all = new URLSearchParams(query);
    for (const [name, value] of Object.entries(more)) value ? all.set(name, value) : all.delete(name);
    go(`/graph?${all}`, "day" in more);
  };
  return html`<h1 class="skip">Graph</h1><${Ask} query=${query} change=${change} /><${Problem} error=${error} />${isOld && html`<p class="doubt" role="status">The memory has changed. <button class="plain" id="redraw" onClick=${again}>Draw it again</button></p>`}
    ${data ? (data.pages.length ? html`<${Drawn} data=${data} query=${query} change=${change} />` : html`<div class="card dim">${query.get("q") ? "Nothing has these words." : "There are no pages yet."}</div>`) : !error && html`<p class="dim">Arranging…</p>`}`;
}
