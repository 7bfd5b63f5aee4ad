// The first run: an empty memory leads to something to remember, an agent, and a question.
import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { read } from "./api.js";
import { Programs } from "./agents.js";
import { Attach } from "./collections.js";
import { Home } from "./home.js";
import { begin, useEnded } from "./jobs.js";
import { counted, go, useChanges, useLoaded } from "./ui.js";

const SKIPPED = "quaid-first-run-skipped"; // in the browser's store, by the memory's path
let begun = false; // in this tab, with an empty memory: the way is shown to its end

function Notebook() {
  const [folder, setFolder] = useState("~/notebook");
  const start = (event) => { event.preventDefault(); begin("collection add", { name: "notebook", folder, profile: "notebook" }); };
  return html`<form class="bar" id="notebook" onSubmit=${start}><input type="text" class="wider" aria-label="Folder of the notebook" value=${folder} onInput=${(e) => setFolder(e.target.value)} /><button class="main" disabled=${!folder.trim()}>Start a notebook</button></form>
    <p class="dim small">Lists, reference, knowledge and a log of each day, as Markdown files in a folder of yours. The folder is made if it is not there.</p>`;
}

function Step({ number, title, now, done, children }) {
  return html`<li class=${`card step ${now ? "now" : ""}`} data-step-number=${number} aria-current=${now ? "step" : undefined}><h2><span><span class="chip">${done ? "✓" : number}</span> ${title}</span>${done && html`<span class="dim small">${done}</span>`}</h2>${now && children}</li>`;
}

function Guide({ stats, skip }) {
  const pages = stats.counts.pages;
  const [connected, setConnected] = useState(false);
  const [text, setText] = useState("");
  const at = !pages ? 1 : !connected ? 2 : 3;
  const ask = (event) => { event.preventDefault(); if (text.trim()) { begun = false; go(`/?ask=${encodeURIComponent(text.trim())}`); } };
  return html`<div class="stack start"><div class="bar"><div class="grow"><h1>A memory begins</h1><p class="dim">It is on this machine alone, in ${stats.path}.</p></div><button id="skip" onClick=${skip}>Skip this</button></div>
    <ol class="stack">
      <${Step} number=${1} title="Something to remember" now=${at === 1} done=${pages > 0 && counted(pages, "page")}>
        <h3>Attach a folder of notes</h3><p class="dim small">Markdown and org files, as they are, also those of Obsidian. You see first what would become of them; nothing is written into the folder.</p><${Attach} />
        <h3>Or start a notebook</h3><${Notebook} /><//>
      <${Step} number=${2} title="Connect an agent" now=${at === 2} done=${connected && "you can do this later, too"}><${Programs} /><div class="bar"><button class="main" id="go-on" onClick=${() => setConnected(true)}>Go on</button></div><//>
      <${Step} number=${3} title="Ask" now=${at === 3}><form class="ask" onSubmit=${ask}><input type="text" id="first-question" aria-label="Ask your memory" placeholder="Something that your notes know" value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" /><button class="main">Ask</button></form><//>
    </ol></div>`;
}

/** Home, unless the memory is empty and nobody has said that this is known. */
export function Start(address) {
  const { data, again } = useLoaded((signal) => read("stats", {}, signal), []);
  const [skipped, setSkipped] = useState(false);
  const look = () => begun && again();
  useChanges(look, []);
  useEnded(look, []);
  const key = data && `${SKIPPED} ${data.path}`;
  const isEmpty = data && data.counts.pages === 0 && !localStorage.getItem(key);
  useEffect(() => { if (isEmpty) begun = true; }, [isEmpty]);
  const skip = () => { begun = false; localStorage.setItem(key, "yes"); setSkipped(true); };
  const isShown = data && (isEmpty || begun) && !skipped && !address.query.get("ask");
  return isShown ? html`<${Guide} stats=${data} skip=${skip} />` : html`<${Home} ...${address} />`;
}
