// The frame: which view an address means, keys, the palette, and what is said in passing.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { listen, read } from "./api.js";
import { Agents } from "./agents.js";
import { Browse } from "./browse.js";
import { Talks } from "./conversations.js";
import { Facts } from "./facts.js";
import { GraphView } from "./graph.js";
import { JobStrip } from "./jobs.js";
import { PageView } from "./page.js";
import { Search } from "./search.js";
import { Settings } from "./settings.js";
import { Start } from "./start.js";
import { go, pageAddress } from "./ui.js";

const VIEWS = { "": ["Home", Start], search: ["Search", Search], browse: ["Browse", Browse], graph: ["Graph", GraphView], facts: ["Facts", Facts], conversations: ["Conversations", Talks], agents: ["Agents", Agents], settings: ["Settings", Settings], page: ["Page", PageView] };
const MENU = [["", "Home"], ["search", "Search"], ["browse", "Browse"], ["graph", "Graph"], ["facts", "Facts"], ["conversations", "Conversations"], ["agents", "Agents"], ["settings", "Settings"]];
const KEYS = [
  ["/ or Ctrl-K", "find a page, go anywhere"], ["g h", "home"], ["g s", "search"], ["g b", "browse"], ["g g", "graph"], ["g f", "facts"], ["g c", "conversations"], ["g a", "agents"], ["g t", "settings"],
  ["j, k", "next, previous line"], ["Enter", "open"], ["e", "edit the page"], ["?", "this help"], ["Esc", "close"],
];

function useAddress() {
  const [, turn] = useState(0);
  useEffect(() => {
    const went = () => { turn((n) => n + 1); };
    addEventListener("popstate", went);
    addEventListener("went", went);
    return () => { removeEventListener("popstate", went); removeEventListener("went", went); };
  }, []);
  return addressOf(location);
}

function addressOf({ pathname, search, hash }) {
  const [, view, ...rest] = pathname.split("/");
  return { view, path: rest.map(decodeURIComponent).join("/"), query: new URLSearchParams(search), hash };
}

// On a phone, a page of a list opens over the list, which stays as it is below.
const narrow = matchMedia("(max-width: 52rem)");
const LISTS = ["browse", "search"];
const below = () => (narrow.matches && location.pathname.startsWith("/page/") && history.state?.over) || "";

function Sheet({ address, over }) {
  const button = useRef();
  useEffect(() => {
    const key = (event) => { if (event.key === "Escape" && !document.querySelector("dialog[open]")) go(over); };
    button.current.focus();
    document.body.classList.add("under-sheet");
    document.addEventListener("keydown", key);
    return () => { document.body.classList.remove("under-sheet"); document.removeEventListener("keydown", key); };
  }, []);
  return html`<div class="sheet" role="dialog" aria-modal="true" aria-label="Page"><div class="bar"><button ref=${button} id="close-sheet" onClick=${() => go(over)}>Close</button></div><${PageView} key=${address.path} ...${address} /></div>`;
}

function Palette({ close }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState([]);
  const [at, setAt] = useState(0);
  const dialog = useRef();
  useLayoutEffect(() => { dialog.current.showModal(); }, []);
  useEffect(() => {
    if (!text.trim()) return setFound([]);
    const stop = new AbortController();
    read("search", { query: text, limit: 8 }, stop.signal).then((answer) => setFound(answer.results), () => {});
    return () => stop.abort();
  }, [text]);
  const places = MENU.map(([view, name]) => [name, `/${view}`]).filter(([name]) => name.toLowerCase().includes(text.toLowerCase()));
  const choices = [
    ...found.map((page) => [page.title || page.slug, pageAddress(page.slug), page.slug]),
    ...(text.trim() ? [[`Search for “${text}”`, `/search?q=${encodeURIComponent(text)}`, ""], [`Ask “${text}”`, `/?ask=${encodeURIComponent(text)}`, ""]] : []),
    ...places.map(([name, address]) => [name, address, ""]),
  ];
  const chosen = Math.min(at, choices.length - 1);
  const take = (choice) => { if (choice) { close(); go(choice[1]); } };
  const key = (event) => {
    if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") take(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return html`<dialog ref=${dialog} id="palette" aria-label="Find anything" onClose=${close}>
    <input type="search" role="combobox" aria-expanded="true" aria-controls="choices" aria-activedescendant=${`choice-${chosen}`} aria-label="Page, words or view" placeholder="Page, words or view" value=${text} onInput=${(e) => { setText(e.target.value); setAt(0); }} onKeyDown=${key} />
    <ul class="choices" id="choices" role="listbox" aria-label="Choices">${choices.map((choice, n) => html`<li role="option" id=${`choice-${n}`} aria-selected=${n === chosen} onClick=${() => take(choice)}>${choice[0]} <span class="dim small">${choice[2]}</span></li>`)}</ul>
  </dialog>`;
}

function Help({ close }) {
  const dialog = useRef();
  useLayoutEffect(() => { dialog.current.showModal(); }, []);
  return html`<dialog ref=${dialog} id="help" aria-label="Keys" onClose=${close}><h2>Keys</h2>
    <table><tbody>${KEYS.map(([key, what]) => html`<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`)}</tbody></table>
    <div class="bar"><button onClick=${() => dialog.current.close()}>Close</button></div></dialog>`;
}

function Toast() {
  const [said, say] = useState(null);
  useEffect(() => {
    let timer;
    const heard = (event) => { say(event.detail); clearTimeout(timer); timer = setTimeout(() => say(null), 12000); };
    addEventListener("toast", heard);
    return () => { removeEventListener("toast", heard); clearTimeout(timer); };
  }, []);
  return html`<div role="status" aria-live="polite">${said && html`<div class="toast"><span>${said.text}</span>${said.undo && html`<button onClick=${() => { say(null); said.undo(); }}>Undo</button>`}</div>`}</div>`;
}

const SignedOut = () => html`<main><div class="card"><h1>Not signed in</h1>
  <p>This browser is not known to the server. Run <code>quaid dashboard</code> in a terminal: it prints a link that lets you in.</p></div></main>`;

// j and k go from one line to the next, in whatever list the view has.
function step(by) {
  const lines = [...document.querySelectorAll("main [data-step]")];
  const now = lines.indexOf(document.activeElement);
  lines[Math.max(0, Math.min(lines.length - 1, now < 0 ? 0 : now + by))]?.focus();
}

function App() {
  const address = useAddress();
  const [open, setOpen] = useState("");
  const [out, setOut] = useState(false);
  const close = () => setOpen("");
  useEffect(() => {
    let before = "";
    const key = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") { event.preventDefault(); setOpen("palette"); return; }
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
      const places = { h: "/", s: "/search", b: "/browse", g: "/graph", f: "/facts", c: "/conversations", a: "/agents", t: "/settings" };
      if (before === "g" && event.key in places) go(places[event.key]);
      else if (event.key === "/") { event.preventDefault(); setOpen("palette"); }
      else if (event.key === "?") setOpen("help");
      else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
      else if (event.key === "e") document.querySelector("[data-key=e]")?.click();
      before = event.key;
    };
    const click = (event) => {
      const link = event.target.closest("a[href^='/']");
      if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return;
      event.preventDefault();
      const to = link.getAttribute("href");
      const over = below() || (LISTS.includes(location.pathname.split("/")[1]) && narrow.matches && location.pathname + location.search);
      if (over && to.startsWith("/page/")) { go(to, false, { over }); document.querySelector(".sheet")?.scrollTo(0, 0); return; }
      go(to);
      scrollTo(0, 0);
    };
    const signedOut = () => setOut(true);
    document.addEventListener("keydown", key);
    document.addEventListener("click", click);
    addEventListener("signed-out", signedOut);
    // Whoever is not let in need not listen; this is the cheapest question that says so.
    read("gaps", { limit: 1 }).then(() => listen((change) => dispatchEvent(new CustomEvent("memory-change", { detail: change }))), () => {});
    return () => { document.removeEventListener("keydown", key); document.removeEventListener("click", click); removeEventListener("signed-out", signedOut); };
  }, []);
  const over = below(), shown = over ? addressOf(new URL(over, location)) : address;
  const [name, View] = VIEWS[shown.view] || VIEWS[""];
  useEffect(() => { document.title = address.view === "page" ? `${address.path} · Quaid` : `${name} · Quaid`; document.body.dataset.ready = "true"; });
  useEffect(() => document.querySelector("header nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [address.view]);
  if (out) return html`<${SignedOut} />`;
  return html`<a class="skip" href="#main">To the contents</a>
    <header class="top"><a class="name" href="/">Quaid</a>
      <nav aria-label="Views">${MENU.map(([view, title]) => html`<a href=${`/${view}`} aria-current=${shown.view === view ? "page" : undefined}>${title}</a>`)}</nav>
      <button onClick=${() => setOpen("palette")}>Find <kbd>/</kbd></button><button aria-label="Keys" onClick=${() => setOpen("help")}>?</button></header>
    <${JobStrip} /><main id="main" tabindex="-1" inert=${!!over}><${View} key=${`${shown.view} ${shown.path}`} ...${shown} /></main>${over && html`<${Sheet} address=${address} over=${over} />`}
    ${open === "palette" && html`<${Palette} close=${close} />`}${open === "help" && html`<${Help} close=${close} />`}<${Toast} />`;
}

render(html`<${App} />`, document.getElementById("app"));
