// The editor component: loaded when somebody edits. Its styles live in a shadow, where the page's policy allows them.
import { EditorState, EditorView, GFM, HighlightStyle, Language, defaultKeymap, defineLanguageFacet, drawSelection, highlightActiveLine, highlightSelectionMatches, history, historyKeymap, indentWithTab, keymap, lineNumbers, markdownParser, searchKeymap, syntaxHighlighting, tags } from "./vendor/codemirror.js";

// Lines over a rule are no headings here: fields stand over one.
const markdown = new Language(defineLanguageFacet(), markdownParser.configure([GFM, { remove: ["SetextHeading"] }]), [], "markdown");
const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700", color: "var(--accent)" }, { tag: tags.strong, fontWeight: "700" }, { tag: tags.emphasis, fontStyle: "italic" }, { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" }, { tag: tags.monospace, color: "var(--good)" }, { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], color: "var(--dim)" },
]);
const look = EditorView.theme({
  "&": { height: "100%", fontSize: ".92rem", backgroundColor: "var(--card)", color: "var(--ink)" }, "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" }, ".cm-content": { caretColor: "var(--ink)", padding: ".6rem 0" }, ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--dim)", border: "0" }, ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--accent-ground)" }, ".cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-panel button, .cm-panel input": { font: "inherit", color: "inherit", background: "var(--card)", border: "1px solid var(--line)" },
});

/** Make an editor in an element; it says what is written, and that it is to be saved or left. */
export function mount(host, { text, label, isMarkdown, changed, save, leave }) {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  // Letters that are written here are no keys of the dashboard.
  host.addEventListener("keydown", (event) => event.stopPropagation());
  const own = keymap.of([{ key: "Mod-s", run: () => { save(); return true; } }, { key: "Mod-Enter", run: () => { save(); return true; } }, { key: "Escape", run: () => leave() }]);
  const view = new EditorView({
    root, parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [own, history(), drawSelection(), lineNumbers(), highlightActiveLine(), highlightSelectionMatches(), EditorView.lineWrapping, keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        isMarkdown ? markdown : [], syntaxHighlighting(colours), look, EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); })],
    }),
  });
  view.focus();
  return { set: (wanted) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wanted } }), destroy: () => view.destroy() };
}
