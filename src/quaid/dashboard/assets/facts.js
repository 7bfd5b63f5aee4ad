// What does not fit together, with its remedies; and what facts changed, by day.
import { html } from "./vendor/htm-preact.js";
import { read, write } from "./api.js";
import { PageLink, Problem, fail, go, toast, useChanges, useLoaded } from "./ui.js";

const CHANGES = [["", "All that hold"], ["7d", "Changed in 7 days"], ["30d", "Changed in 30 days"]];

export function Finding({ finding, again }) {
  const name = (side) => `${side.collection}::${side.slug}`;
  const keep = async (side) => {
    const other = finding.sides.find((each) => each !== side);
    try {
      const { version } = await read("get", { slug: name(other) });
      await write("check", { resolve: finding.id, keep: side.id, page_version: version });
      toast("Resolved");
    } catch (error) { fail(error); }
    again();
  };
  const dismiss = () => write("check", { resolve: finding.id, dismiss: true }).then(() => { toast("Both stand"); again(); }, fail);
  return html`<li><p>${finding.description} <span class="chip">${finding.type.replace("_", " ")}</span></p>
    <ul>${finding.sides.map((side) => html`<li><${PageLink} slug=${name(side)} title=${side.slug} data-step /> <span class="dim">${side.statement}</span>
      ${side.kind === "assertion" && html` <button class="small" onClick=${() => keep(side)}>This is right</button>`}</li>`)}</ul>
    <div class="bar"><button onClick=${dismiss}>Both may stand</button></div></li>`;
}

export function Facts({ query }) {
  const since = query.get("since") || "", subject = query.get("about") || "";
  const doubts = useLoaded(() => write("check", {}), []);
  const { data, error, again } = useLoaded((signal) => read("facts", { subject, changed_since: since, limit: 200 }, signal), [since, subject]);
  const refresh = () => { doubts.again(); again(); };
  useChanges(refresh, [since, subject]);
  const look = () => write("check", { all: true }).then((found) => { toast(found.open ? `${found.open} open` : "Nothing contradicts"); doubts.again(); }, fail);
  const days = new Map();
  for (const fact of data?.facts || []) {
    const day = fact.valid_from || fact.learned_at.slice(0, 10);
    days.set(day, [...(days.get(day) || []), fact]);
  }
  return html`<h1 class="skip">Facts</h1><div class="stack"><section class="card" aria-label="Contradictions"><h2><span>Contradictions</span><button class="small" onClick=${look}>Check everything</button></h2><${Problem} error=${doubts.error} />
      ${doubts.data?.findings.length ? html`<ul class="list">${doubts.data.findings.map((finding) => html`<${Finding} key=${finding.id} finding=${finding} again=${refresh} />`)}</ul>` : html`<p class="dim">None is open.</p>`}</section>
    <section class="card" aria-label="Facts by day"><h2>Facts</h2><div class="tabs">${CHANGES.map(([value, title]) => html`<button aria-pressed=${since === value} onClick=${() => go(value ? `/facts?since=${value}` : "/facts")}>${title}</button>`)}</div><${Problem} error=${error} />
      ${[...days].sort(([a], [b]) => (a < b ? 1 : -1)).map(([day, facts]) => html`<h3 class="small dim">${day}</h3><ul class="list">${facts.map((fact) => html`<li>${fact.subject} <span class="dim">${fact.predicate}</span> <strong>${fact.object}</strong> ${fact.valid_until && html`<span class="dim small">until ${fact.valid_until}</span>`} <${PageLink} slug=${`${fact.collection}::${fact.page}`} title=${fact.page} class="small" data-step /></li>`)}</ul>`)}
      ${data && !data.facts.length && html`<p class="dim">None.</p>`}${data?.more && html`<p class="dim small">There are more.</p>`}</section></div>`;
}
