// A page's text, edited beside its preview; what somebody else wrote meanwhile is shown, and never overwritten.
import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { ask, newSession, read, write } from "./api.js";
import { formulas } from "./formulas.js";
import { changes } from "./lines.js";
import { fail, toast } from "./ui.js";

const PLAIN = "quaid-plain-editor"; // where the browser remembers that somebody wants no editor but a text field

export function Diff({ text }) {
  const kinds = { "+": "add", "-": "del" };
  return html`<pre class="diff" tabindex="0" aria-label="Changes">${text.split("\n").slice(2).map((line) => html`<span class=${kinds[line[0]] || ""}>${line || " "}</span>`)}</pre>`;
}

export const undoing = (session, then) => () => write("undo", { session, yes: true }).then(() => { toast("Taken back"); then(); }, fail);

/** The editor component over a text field, which stays where it cannot be loaded, and where a finger writes. */
function useRich({ text, format, setText, save, leave }) {
  const [plain, setPlain] = useState(localStorage.getItem(PLAIN) === "1" || matchMedia("(pointer: coarse)").matches);
  const [editor, setEditor] = useState(null);
  const host = useRef();
  const now = useRef({});
  now.current = { save, leave };
  useEffect(() => {
    if (plain) return undefined;
    let made = null, gone = false;
    import("./rich.js").then(({ mount }) => {
      if (gone) return;
      made = mount(host.current, { text: host.current.dataset.text, label: "Text of the page", isMarkdown: format !== "org", changed: setText, save: () => now.current.save(), leave: () => now.current.leave() });
      setEditor(made);
    }, () => setPlain(true));
    return () => { gone = true; made?.destroy(); setEditor(null); };
  }, [plain]);
  const toggle = () => { localStorage.setItem(PLAIN, plain ? "" : "1"); setPlain(!plain); };
  return { host, editor, plain, toggle };
}

export function Editor({ page, done }) {
  const [text, setText] = useState(page.content);
  const [base, setBase] = useState(page.version);
  const [preview, setPreview] = useState("");
  const [conflict, setConflict] = useState(null);
  const shown = useRef();
  useEffect(() => {
    const timer = setTimeout(() => ask("render", { slug: page.name, content: text }).then((shown) => setPreview(shown.html), () => {}), 200);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => { formulas(shown.current); }, [preview]);
  useEffect(() => {
    const leaving = (event) => { if (text !== page.content) event.preventDefault(); };
    addEventListener("beforeunload", leaving);
    return () => removeEventListener("beforeunload", leaving);
  }, [text]);
  const save = async () => {
    const session = newSession("edit");
    try {
      await write("put", { slug: page.name, content: text, expected_version: base }, session);
      toast("Saved", undoing(session, done));
      done();
    } catch (error) {
      if (error.status !== 409) { fail(error); return; }
      setConflict(await read("get", { slug: page.name }));
    }
  };
  const leave = () => { if (text !== page.content) return false; done(); return true; };
  const rich = useRich({ text, format: page.format, setText, save, leave });
  const key = (event) => {
    if ((event.ctrlKey || event.metaKey) && ["s", "Enter"].includes(event.key)) { event.preventDefault(); save(); }
    if (event.key === "Escape") leave();
  };
  const take = () => { setText(conflict.content); rich.editor?.set(conflict.content); setBase(conflict.version); setConflict(null); };
  return html`<section aria-label="Edit"><div class="bar"><button class="main" id="save" onClick=${save}>Save <kbd>Ctrl-S</kbd></button><button onClick=${() => (text === page.content || confirm("Leave without saving?")) && done()}>Cancel</button>
      <button id="plain" aria-pressed=${rich.plain} onClick=${rich.toggle}>Plain text field</button></div>
    ${conflict && html`<div class="card" id="conflict" role="alert"><h2>Somebody else has changed this page</h2><p>It is at version ${conflict.version} now; you began with ${base}. Nothing was saved. What they have and you have not is red; what you have is green.</p>
      <${Diff} text=${changes(conflict.content, text)} />
      <div class="bar"><button id="theirs" onClick=${take}>Take theirs</button>
      <button id="mine" onClick=${() => { setBase(conflict.version); setConflict(null); toast("Save again to replace theirs with yours"); }}>Keep mine, on top of theirs</button></div></div>`}
    <div class="edit">${rich.editor ? null : html`<textarea aria-label="Text of the page" spellcheck="true" value=${text} onInput=${(e) => setText(e.target.value)} onKeyDown=${key} autofocus />`}<div class="rich" hidden=${!rich.editor} ref=${rich.host} data-text=${text} />
      <div class="card doc" role="region" aria-label="Preview" ref=${shown} dangerouslySetInnerHTML=${{ __html: preview }} /></div></section>`;
}
