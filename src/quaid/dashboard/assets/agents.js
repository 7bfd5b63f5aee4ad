// Agents: which programs are connected, what they are given, and what they did.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, read, send, write } from "./api.js";
import { Diff } from "./editor.js";
import { Sessions } from "./sessions.js";
import { Problem, counted, fail, go, toast, useChanges, useLoaded } from "./ui.js";

const MOMENTS = { start: "When a session begins", prompt: "With each prompt", window: "Once, when the window is nearly full" };
const KINDS = ["agent", "token", "program"];
const tokens = (count) => counted(count, "token");

const filesOf = (diff) => diff.split(/^(?=--- .*\n\+\+\+ )/m);

/** The difference comes first; what is written is what was shown. */
function Connect({ client, remove, close, done }) {
  const dialog = useRef();
  const [wish, setWish] = useState({ hooks: true, skills: true });
  const [error, setError] = useState(null);
  const plan = useLoaded(() => send("/api/dashboard/clients", { client: client.name, remove, ...wish }), [wish.hooks, wish.skills]);
  useLayoutEffect(() => { dialog.current.showModal(); }, []);
  const apply = async () => {
    try {
      const made = await send("/api/dashboard/clients", { client: client.name, remove, ...wish, seen: plan.data.seen });
      toast(remove ? `${client.title} no longer has the memory` : `${client.title} is set up. ${made.next}`);
      close();
      done();
    } catch (failure) { setError(failure); plan.again(); }
  };
  const choice = (name, text) => html`<label><input type="checkbox" checked=${wish[name]} onChange=${(e) => setWish({ ...wish, [name]: e.target.checked })} /> ${text}</label>`;
  return html`<dialog ref=${dialog} id="connect" class="broad" aria-label=${`${remove ? "Disconnect" : "Set up"} ${client.title}`} onClose=${close}>
    <h2>${remove ? `Take the memory out of ${client.title}` : `Give ${client.title} the memory`}</h2>
    <div class="bar">${choice("hooks", "hooks (context, lines for prompts)")}${choice("skills", "skills")}</div>
    <${Problem} error=${error || plan.error} />
    ${plan.data && html`<ul class="list">${plan.data.parts.map((part) => html`<li><span class="chip">${part.did}</span> ${part.part === "skills" ? counted(part.count, "skill") : part.part} <span class="dim small path">${part.path}</span></li>`)}</ul>
      ${plan.data.diff ? html`<div class="tall" tabindex="0" role="region" aria-label="What changes">${filesOf(plan.data.diff).map((file) => html`<div class="dim small path">${file.split("\n")[1].slice(4)}</div><${Diff} text=${file} />`)}</div>` : html`<p class="dim">No file of its configuration changes.</p>`}`}
    <div class="bar"><button class=${remove ? "danger" : "main"} id="consent" disabled=${!plan.data?.changed} onClick=${apply}>${remove ? "Take it out" : "Write this"}</button><button onClick=${() => dialog.current.close()}>Leave it as it is</button></div></dialog>`;
}

function Program({ client, open }) {
  const isSetUp = client.set_up.length > 0;
  return html`<li data-client=${client.name}><div class="bar"><strong>${client.title}</strong>${isSetUp ? html`<span class="chip agent">set up${client.set_up.includes("project") ? " for a folder" : ""}</span>` : html`<span class="chip">${client.found ? "not set up" : "not found here"}</span>`}
    <span class="grow"></span><button onClick=${() => open({ client, remove: false })}>${isSetUp ? "Look" : "Set up"}</button>${isSetUp && html`<button class="danger" onClick=${() => open({ client, remove: true })}>Disconnect</button>`}</div>
    <div class="dim small path">${client.path}</div>${client.given.length > 0 && html`<div class="small">is given ${client.given.join(", ")}</div>`}${client.problem && html`<p class="doubt">${client.problem}</p>`}</li>`;
}

export function Programs() {
  const { data, error, again } = useLoaded((signal) => get("/api/dashboard/clients", signal), []);
  const [chosen, choose] = useState(null);
  const here = (data || []).filter((client) => client.found || client.set_up.length), others = (data || []).filter((client) => !here.includes(client));
  return html`<section class="card" aria-label="Programs"><h2>Programs</h2><p class="dim small">Nothing is written before you have seen what changes. What is yours in a configuration stays as it is.</p><${Problem} error=${error} />
    <ul class="list">${here.map((client) => html`<${Program} client=${client} open=${choose} />`)}</ul>
    ${others.length > 0 && html`<details open=${!here.length}><summary>${counted(others.length, "program")} not found on this machine</summary><ul class="list">${others.map((client) => html`<${Program} client=${client} open=${choose} />`)}</ul></details>`}
    ${chosen && html`<${Connect} ...${chosen} close=${() => choose(null)} done=${again} />`}</section>`;
}

const set = (key, value, again) => write("config set", { key, value }).then(() => { toast(`${key} is ${value || "as fits the memory"}`); again(); }, fail);

/** Sets of tools; none chosen means those that fit the memory. */
function Sets({ text, again }) {
  const sets = text.value.split(",").filter(Boolean);
  const turn = (name, on) => set(text.setting, (on ? [...sets, name] : sets.filter((each) => each !== name)).join(","), again);
  return html`<span class="bar sets" role="group" aria-label="Sets of tools">${text.choices.map((name) => html`<label><input type="checkbox" checked=${sets.includes(name)} onChange=${(e) => turn(name, e.target.checked)} /> ${name}</label>`)}</span>`;
}

function Switch({ text, again }) {
  if (!text.setting) return null;
  if (text.name === "tools") return html`<${Sets} text=${text} again=${again} />`;
  if (text.choices) return html`<select aria-label=${text.name} value=${text.value} onChange=${(e) => set(text.setting, e.target.value, again)}>${text.choices.map((choice) => html`<option value=${choice} selected=${choice === text.value}>${choice}</option>`)}</select>`;
  return html`<label><input type="checkbox" role="switch" aria-label=${`Give ${text.name}`} checked=${text.on} onChange=${(e) => set(text.setting, String(e.target.checked), again)} /> ${text.on ? "on" : "off"}</label>`;
}

function Text({ text, tools, again }) {
  return html`<li data-given=${text.name}><div class="bar"><strong>${text.name}</strong><span class="chip">${text.on ? `${text.most ? "up to " : "about "}${tokens(text.tokens)}` : "off"}</span><span class="grow"></span><${Switch} text=${text} again=${again} /></div>
    <div class="dim small">${text.meaning} ${text.setting && html`<span class="mono">${text.setting}</span>`}</div>
    ${text.text && html`<details class="small"><summary>Show the text</summary><div class="passage tall-text" tabindex="0">${text.text}</div></details>`}
    ${text.name === "tools" && html`<details class="small"><summary>${counted(tools.length, "tool")}</summary><table><tbody>${tools.map((tool) => html`<tr><td class="mono">${tool.name}</td><td class="dim">${tool.brief}</td><td class="nowrap">${tool.tokens}</td></tr>`)}</tbody></table></details>`}</li>`;
}

function TryPrompt() {
  const [text, setText] = useState("");
  const [found, setFound] = useState(null);
  const ask = (event) => { event.preventDefault(); if (text.trim()) send("/api/dashboard/prompt", { prompt: text }).then(setFound, fail); };
  return html`<form class="ask gap" onSubmit=${ask}><input type="text" id="prompt" aria-label="A prompt" placeholder="What would be given with this prompt?" value=${text} onInput=${(e) => setText(e.target.value)} autocomplete="off" /><button>Try</button></form>
    <div aria-live="polite" id="lines">${found && (found.text ? html`<p class="small dim">${tokens(found.tokens)}, found by ${found.how}</p><div class="passage" tabindex="0">${found.text}</div>` : html`<p class="dim">Nothing${found.how === "off" ? ": it is off" : " fits well enough"}.</p>`)}</div>`;
}

function Given() {
  const { data, error, again } = useLoaded((signal) => read("agents", {}, signal), []);
  useChanges(again, []);
  return html`<section class="card" aria-label="What agents are given"><h2><span>What agents are given</span>${data && html`<span class="dim small">about ${tokens(data.start_tokens)} when a session begins</span>`}</h2><${Problem} error=${error} />
    ${data && Object.entries(MOMENTS).map(([moment, title]) => html`<h3>${title}</h3><ul class="list">${data.texts.filter((text) => text.moment === moment).map((text) => html`<${Text} key=${text.name} text=${text} tools=${data.tools} again=${again} />`)}</ul>${moment === "prompt" && html`<${TryPrompt} />`}`)}</section>`;
}

async function sessionsOf(actor, signal) {
  const asked = actor ? [{ actor }] : KINDS.map((kind) => ({ actor: kind }));
  const answers = await Promise.all(asked.map((each) => read("activity", { ...each, reads: true, limit: 20 }, signal).catch(() => ({ sessions: [], more: 0 }))));
  const sessions = answers.flatMap((answer) => answer.sessions).sort((one, other) => (one.last < other.last ? 1 : -1));
  return { sessions, more: answers.reduce((sum, answer) => sum + answer.more, 0) };
}

function Done({ actor }) {
  const { data, error, again } = useLoaded((signal) => sessionsOf(actor, signal), [actor]);
  const reads = useLoaded((signal) => read("config get", { key: "activity.reads" }, signal), []);
  const [names, setNames] = useState([]);
  useChanges(again, [actor]);
  useEffect(() => { if (data) setNames((known) => [...new Set([...known, ...data.sessions.map((session) => session.by), ...(actor ? [actor] : [])])].sort()); }, [data]);
  return html`<section class="card" aria-label="What they did"><h2><span>What they did</span><select class="small" aria-label="Only this agent" value=${actor} onChange=${(e) => go(e.target.value ? `/agents?by=${encodeURIComponent(e.target.value)}` : "/agents")}><option value="">every agent and program</option>${names.map((name) => html`<option value=${name} selected=${name === actor}>${name}</option>`)}</select></h2>
    <${Problem} error=${error} />${data && (data.sessions.length ? html`<${Sessions} sessions=${data.sessions} again=${again} />` : html`<p class="dim">Nothing is known of them yet.</p>`)}
    ${data?.more > 0 && html`<p class="dim small">and ${counted(data.more, "earlier session")}; <code>quaid activity</code> lists them</p>`}
    ${reads.data && !reads.data.value && html`<p class="dim small">What they read is not noted. <code>reads = true</code> under <code>[activity]</code> in ~/.quaid/config.toml turns that on.</p>`}</section>`;
}

export function Agents({ query }) {
  return html`<h1 class="skip">Agents</h1><div class="grid"><div class="stack"><${Programs} /><${Given} /></div><${Done} actor=${query.get("by") || ""} /></div>`;
}
