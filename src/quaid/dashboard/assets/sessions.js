// What somebody did in a session, and taking it back.
import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { write } from "./api.js";
import { Actor, PageLink, Problem, Time, counted, fail, toast } from "./ui.js";

const FEW = 6;

/** What would become of each page is shown before it is done. */
function TakeBack({ session, plan, close, done }) {
  const dialog = useRef();
  const [error, setError] = useState(null);
  useLayoutEffect(() => { dialog.current.showModal(); }, []);
  const take = async () => {
    try {
      const taken = await write("undo", { session: session.session, yes: true });
      toast(`Taken back: ${counted(taken.pages.length, "page")}`, () => write("undo", { session: taken.session, yes: true }).then(done, setError));
      close();
      done();
    } catch (failure) { setError(failure); }
  };
  return html`<dialog ref=${dialog} id="take-back" aria-label="Take back" onClose=${close}><h2>Take back what ${session.by} did</h2><${Problem} error=${error} />
    ${plan.pages.length ? html`<ul class="list tall">${plan.pages.map((page) => html`<li>${page.slug} <span class="dim small">${page.what.join(", ")}</span></li>`)}</ul>` : html`<p class="dim">Nothing: ${plan.already ? "it is taken back already." : "no page is as they left it."}</p>`}
    ${plan.conflicts.map((page) => html`<p class="doubt">${page.slug} stays as it is: ${page.reason}</p>`)}
    <p class="dim small">What others did since stays. This can be undone.</p>
    <div class="bar"><button class="danger" disabled=${!plan.pages.length} onClick=${take}>Take back</button><button onClick=${() => dialog.current.close()}>Leave it</button></div></dialog>`;
}

function Reads({ session }) {
  const reads = session.reads || [];
  if (!reads.length) return null;
  return html`<details class="small"><summary>Read: ${counted(reads.length + (session.more_reads || 0), "time")}</summary><ul class="list">${reads.map((read) => html`<li>${read.slug ? html`<${PageLink} slug=${read.slug} />` : html`a question <span class="dim">${read.question.slice(0, 12)}</span>`} <span class="dim">by ${read.operation}</span> <${Time} at=${read.at} /></li>`)}</ul></details>`;
}

/** One session: who, when, which pages, and what was read where that is noted. */
function Session({ session, takeBack }) {
  const [all, setAll] = useState(false);
  const pages = all ? session.pages : session.pages.slice(0, FEW);
  const hidden = session.pages.length - pages.length;
  return html`<li data-session=${session.session}><div class="bar"><${Actor} by=${session.by} kind=${session.kind} /> <${Time} at=${session.last} /><span class="dim small mono">${session.session}</span>
      ${session.session && session.pages.length > 0 && html`<button class="plain small" onClick=${() => takeBack(session)}>take back</button>`}</div>
    ${pages.map((page) => html`<div><${PageLink} slug=${`${page.collection}::${page.slug}`} title=${page.slug} data-step /> <span class="dim small">${page.what.join(", ")}${page.undone ? ", taken back" : page.removed ? ", removed by now" : ""}</span></div>`)}
    ${hidden > 0 && html`<button class="plain small" onClick=${() => setAll(true)}>${hidden} more</button>`}${session.more > 0 && !hidden && html`<div class="dim small">and ${session.more} more</div>`}<${Reads} session=${session} /></li>`;
}

/** Sessions, each of which can be taken back. */
export function Sessions({ sessions, again }) {
  const [back, setBack] = useState(null);
  const takeBack = (session) => write("undo", { session: session.session }).then((plan) => setBack({ session, plan }), fail);
  return html`<ul class="list">${sessions.map((session) => html`<${Session} key=${`${session.by} ${session.session}`} session=${session} takeBack=${takeBack} />`)}</ul>
    ${back && html`<${TakeBack} ...${back} close=${() => setBack(null)} done=${again} />`}`;
}
