// What was said to agents: listed, searched, read, forgotten.
import { html, useState } from "./vendor/htm-preact.js";
import { read, write } from "./api.js";
import { Snippet } from "./search.js";
import { Problem, Time, fail, go, toast, useLoaded } from "./ui.js";

const addressOf = (id, turn) => `/conversations/${encodeURIComponent(id)}${turn ? `?turn=${turn}` : ""}`;

function Conversation({ id, turn }) {
  const { data, error } = useLoaded((signal) => read("conversations show", { id, turn, around: turn ? 10 : "" }, signal), [id, turn]);
  const forget = () => {
    if (!confirm("Forget this conversation? It is erased, and cannot be brought back.")) return;
    write("conversations forget", { id }).then(() => { toast("Forgotten"); go("/conversations"); }, fail);
  };
  if (error) return html`<${Problem} error=${error} />`;
  if (!data) return html`<p class="dim">Loading…</p>`;
  return html`<h1>${data.title || data.id}</h1><div class="bar"><span class="chip">${data.client}</span><span class="dim small">${data.project}</span><${Time} at=${data.started} /><button class="danger" onClick=${forget}>Forget</button></div>
    <div class="stack">${data.turns.map((each) => html`<section class="card" aria-label=${`Turn ${each.turn}`}><h2><span>${each.role}</span><span class="dim small">${each.turn} of ${data.count}</span></h2><div class="passage tall" tabindex="0">${each.text}</div></section>`)}</div>
    ${turn && html`<p><a href=${addressOf(id)}>The whole conversation</a></p>`}`;
}

function Conversations({ query }) {
  const words = query.get("q") || "";
  const [text, setText] = useState(words);
  const { data, error } = useLoaded((signal) => (words ? read("conversations search", { query: words, max_results: 30 }, signal) : read("conversations list", { limit: 100 }, signal)), [words]);
  const submit = (event) => { event.preventDefault(); go(text.trim() ? `/conversations?q=${encodeURIComponent(text.trim())}` : "/conversations"); };
  return html`<h1 class="skip">Conversations</h1><form class="ask" onSubmit=${submit}><input type="text" id="said" aria-label="Search conversations" placeholder="Search conversations" value=${text} onInput=${(e) => setText(e.target.value)} /><button>Search</button></form><${Problem} error=${error} />
    <section class="card gap" aria-label="Conversations found"><ul class="list">${(data?.results || []).map((hit) => html`<li><a href=${addressOf(hit.conversation, hit.turn)} data-step>${hit.title || hit.conversation}</a> <span class="dim small">${hit.role}, turn ${hit.turn}, ${hit.client}</span> <${Time} at=${hit.time} /><${Snippet} text=${hit.snippet} /></li>`)}
      ${(data?.conversations || []).map((each) => html`<li><a href=${addressOf(each.id)} data-step>${each.title || each.id}</a> <span class="dim small">${each.client} ${each.project}, ${each.turns} turns</span> <${Time} at=${each.ended} /></li>`)}</ul>
      ${data && !(data.results || data.conversations).length && html`<p class="dim">${words ? "Nothing found." : "None yet. `quaid conversations index` reads what your agents have written."}</p>`}</section>`;
}

export const Talks = ({ path, query }) => (path ? html`<${Conversation} id=${path} turn=${query.get("turn")} />` : html`<${Conversations} query=${query} />`);
