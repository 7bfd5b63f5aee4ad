// What needs the person, each with what settles it.
import { html, useState } from "./vendor/htm-preact.js";
import { get, newSession, read, write } from "./api.js";
import { Finding } from "./facts.js";
import { begin, useEnded } from "./jobs.js";
import { PageLink, Time, counted, fail, pageAddress, toast, useChanges, useLoaded } from "./ui.js";

const SHOWN = 8; // of each kind
const quiet = (promise) => promise.catch(() => null);

async function load(signal) {
  const [briefing, gaps, asked, due, collections, conflicts] = await Promise.all([
    quiet(read("briefing", { format: "json", limit: SHOWN }, signal)), quiet(read("gaps", { limit: SHOWN }, signal)), quiet(get("/api/dashboard/questions", signal)),
    quiet(read("due", { limit: SHOWN }, signal)), quiet(read("collection list", {}, signal)), quiet(read("conflicts", {}, signal)),
  ]);
  return { briefing, gaps, asked: asked?.questions || {}, due, collections: collections?.collections || [], conflicts: conflicts?.conflicts || [] };
}

// git is asked apart: the rest does not wait for it.
async function loadShared(signal) {
  const { collections } = await read("collection list", {}, signal);
  if (!collections.some((each) => each.folder)) return { standings: [], bases: [] };
  const standings = await quiet(read("sync status", {}, signal));
  const bases = await Promise.all(collections.filter((each) => each.profile === "kb").map(async (each) => ({ name: each.name, status: await quiet(read("kb status", { kb: each.name }, signal)) })));
  return { standings: standings?.collections || [], bases: bases.filter((each) => each.status) };
}

const Item = ({ kind, children, actions }) => html`<li data-needs=${kind}><span class="chip">${kind}</span> ${children}${actions && html`<div class="bar tight">${actions}</div>`}</li>`;

function Contradiction({ doubt, again }) {
  const [open, setOpen] = useState(false);
  const { data } = useLoaded(() => (open ? write("check", {}) : Promise.resolve(null)), [open]);
  const finding = data?.findings.find((each) => each.id === doubt.id);
  return html`<${Item} kind="contradiction" actions=${!open && html`<button class="small" onClick=${() => setOpen(true)}>Settle</button>`}><${PageLink} slug=${doubt.slug} title=${doubt.description} data-step />
    ${finding && html`<ul class="list"><${Finding} finding=${finding} again=${again} /></ul>`}${data && !finding && html`<p class="dim small">It is settled.</p>`}<//>`;
}

function Conflict({ conflict, again }) {
  const settle = (keep) => write("conflicts resolve", { id: conflict.id, keep }, newSession("conflict")).then(() => { toast(keep === "ours" ? "The page stays as it is" : "The other version stands there now"); again(); }, fail);
  return html`<${Item} kind="conflict" actions=${html`<button class="small" onClick=${() => settle("ours")}>Keep this</button><button class="small" onClick=${() => settle("theirs")}>Take the other</button>`}>
    ${conflict.slug ? html`<${PageLink} slug=${`${conflict.collection}::${conflict.slug}`} title=${conflict.path} data-step />` : conflict.path} <span class="dim small">${conflict.kind} ${conflict.name}</span>
    <div class="sides"><div><div class="dim small">The page says</div><div class="passage" tabindex="0">${conflict.kept || "(nothing)"}</div></div><div><div class="dim small">The other says</div><div class="passage" tabindex="0">${conflict.other || "(nothing)"}</div></div></div><//>`;
}

function Gap({ gap, words, again }) {
  const [page, setPage] = useState("");
  const question = words || gap.query || gap.redacted_query;
  const resolve = (event) => {
    event.preventDefault();
    if (page.trim()) write("gaps resolve", { gap_id: gap.id, slug: page.trim() }).then(() => { toast("Answered"); again(); }, fail);
  };
  return html`<${Item} kind="not known">${question ? html`<a data-step href=${`/?ask=${encodeURIComponent(question)}`}>${question}</a>` : "a question whose words are not kept"} <span class="dim small">${gap.times > 1 ? `asked ${gap.times} times` : ""} ${gap.context}</span>
    <form class="bar tight" onSubmit=${resolve}><input type="text" class="small" aria-label=${`Page that answers: ${question || gap.id}`} placeholder="the page that answers it" value=${page} onInput=${(e) => setPage(e.target.value)} /><button class="small">This answers it</button></form><//>`;
}

/** A text whose frontmatter says that it is done; null where a person has to write that. */
export function doneText(content) {
  const end = content.startsWith("---\n") ? content.indexOf("\n---", 3) : -1;
  if (end < 0) return null;
  const head = content.slice(0, end), rest = content.slice(end);
  return (/^status:.*$/m.test(head) ? head.replace(/^status:.*$/m, "status: done") : `${head}\nstatus: done`) + rest;
}

function Due({ item, again }) {
  const finish = async () => {
    const session = newSession("done");
    try {
      const page = await read("get", { slug: item.slug });
      const content = doneText(page.content);
      if (content === null) { location.assign(pageAddress(item.slug, "?edit")); return; }
      await write("put", { slug: item.slug, content, expected_version: page.version }, session);
      toast("Done", () => write("undo", { session, yes: true }).then(() => { toast("Taken back"); again(); }, fail));
    } catch (error) { fail(error); }
    again();
  };
  return html`<${Item} kind=${item.overdue ? "overdue" : item.revisit ? "revisit" : "due"} actions=${html`<button class="small" onClick=${finish}>Done</button>`}><${PageLink} slug=${item.slug} title=${item.title || item.slug} data-step /> <span class="dim small">${item.due || ""} ${item.owner.join(", ")}</span><//>`;
}

function Order({ order, again }) {
  const decide = (name) => write(name, { ids: [order.id] }).then(() => { toast("Decided"); again(); }, fail);
  return html`<${Item} kind="standing order" actions=${html`<button class="small" onClick=${() => decide("context approve")}>Let it bind</button><button class="small" onClick=${() => decide("context reject")}>Reject</button>`}>“${order.text}” <span class="dim small">by ${order.by}${order.gone ? "; its line is gone" : ""}</span><//>`;
}

function Shared({ standing }) {
  const exchange = html`<button class="small" onClick=${() => begin("sync", { collection: standing.collection })}>Exchange now</button>`;
  const merge = async () => {
    if (!confirm(`Merge these copies into their pages?\n${standing.copies.slice(0, 12).join("\n")}\nEach copy goes into quarantine.`)) return;
    try { await write("conflicts merge-copies", { collection: standing.collection, yes: true }); toast("Merged"); } catch (error) { fail(error); }
  };
  return html`${standing.shared && (standing.sync_failure || standing.problem) && html`<${Item} kind="not sent" actions=${exchange}>${standing.collection}: ${standing.sync_failure || standing.problem} <span class="dim small">${standing.ahead ? `${counted(standing.ahead, "commit")} to send` : ""} ${standing.hint}</span> <${Time} at=${standing.sync_failed_at} /><//>`}
    ${standing.copies.length > 0 && html`<${Item} kind="copies" actions=${html`<button class="small" onClick=${merge}>Merge them</button>`}>${standing.collection}: ${counted(standing.copies.length, "copy of another program", "copies of other programs")}<//>`}`;
}

function Curation({ base, again }) {
  const [open, setOpen] = useState(false);
  const { data } = useLoaded(() => (open ? write("kb curate", { kb: base.name, dry_run: true }) : Promise.resolve(null)), [open]);
  const seen = (item) => write("kb curate", { kb: base.name, done: [item.id] }).then(() => { toast("Looked at"); setOpen(false); again(); }, fail);
  return html`<${Item} kind="curation" actions=${!open && html`<button class="small" onClick=${() => setOpen(true)}>What to look at</button>`}>${base.name} wants to be looked through
    ${data && html`<ul class="list">${data.next.concat(data.contested, data.stale).slice(0, 10).map((item) => html`<li><${PageLink} slug=${item.title} title=${item.title} /> <span class="dim small">${item.why}</span> <button class="small" onClick=${() => seen(item)}>Looked at</button></li>`)}
      ${data.duplicates.slice(0, 5).map((pair) => html`<li>${pair.titles.join(" / ")} <span class="dim small">${pair.kind}</span></li>`)}</ul>`}<//>`;
}

const Base = ({ base, again }) => html`${base.status.push_failed && html`<${Item} kind="not sent" actions=${html`<button class="small" onClick=${() => write("kb push", { kb: base.name }).then(() => { toast("Sent"); again(); }, fail)}>Push again</button>`}>${base.name}: ${base.status.push_failed} <${Time} at=${base.status.push_failed_at} /><//>`}
  ${base.status.curation_due && html`<${Curation} base=${base} again=${again} />`}`;

export function Attention() {
  const { data, again } = useLoaded(load, []);
  const shared = useLoaded(loadShared, []);
  const refresh = () => { again(); shared.again(); };
  useChanges(again, []);
  useEnded(refresh, []);
  if (!data) return html`<section class="card" aria-label="What needs you"><h2>What needs you</h2><p class="dim">Looking…</p></section>`;
  const items = [
    ...data.collections.filter((each) => each.alarm).map((each) => html`<${Item} kind="folder" actions=${html`<a class="small" href="/settings">Look at it</a>`}>${each.name}: ${each.alarm}<//>`),
    ...(data.briefing?.orders || []).map((each) => html`<${Order} key=${`order ${each.id}`} order=${each} again=${again} />`),
    ...data.conflicts.slice(0, SHOWN).map((each) => html`<${Conflict} key=${each.id} conflict=${each} again=${refresh} />`),
    ...(data.briefing?.contradictions || []).map((each) => html`<${Contradiction} key=${`doubt ${each.id}`} doubt=${each} again=${again} />`),
    ...(shared.data?.standings || []).filter((each) => each.copies.length || (each.shared && (each.sync_failure || each.problem))).map((each) => html`<${Shared} key=${`shared ${each.collection}`} standing=${each} />`),
    ...(shared.data?.bases || []).filter((each) => each.status.push_failed || each.status.curation_due).map((each) => html`<${Base} key=${`base ${each.name}`} base=${each} again=${refresh} />`),
    ...(data.due?.items || []).map((each) => html`<${Due} key=${`due ${each.slug}`} item=${each} again=${again} />`),
    ...(data.gaps?.gaps || []).map((each) => html`<${Gap} key=${`gap ${each.id}`} gap=${each} words=${data.asked[each.query_hash]} again=${again} />`),
  ];
  const more = [[data.conflicts.length - SHOWN, "more conflicts"], [(data.briefing?.counts.contradictions || 0) - (data.briefing?.contradictions.length || 0), "more contradictions"], [(data.gaps?.open || 0) - (data.gaps?.gaps.length || 0), "more questions"], [data.due?.more || 0, "more that is due"]].filter(([count]) => count > 0);
  return html`<section class="card" aria-label="What needs you"><h2>What needs you</h2>${items.length ? html`<ul class="list">${items}</ul>` : html`<p class="dim">Nothing.</p>`}
    ${more.length > 0 && html`<p class="dim small">And ${more.map(([count, what]) => `${count.toLocaleString("en")} ${what}`).join(", ")}.</p>`}</section>`;
}
