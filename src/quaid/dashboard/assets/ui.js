// What views share: where they are, small pieces, and data that is loaded.
import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";

export const pageAddress = (slug, extra = "") => `/page/${slug.split("/").map(encodeURIComponent).join("/")}${extra}`;

export function go(address, replace = false, state = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", address);
  dispatchEvent(new Event("went"));
}

export const counted = (count, noun, nouns = `${noun}s`) => `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;

export const toast = (text, undo) => dispatchEvent(new CustomEvent("toast", { detail: { text, undo } }));
export const fail = (error) => toast(error.hint ? `${error.message}. ${error.hint}` : error.message);

/** What a promise gives; asked again when the keys change, and the old answer stays until then. */
export function useLoaded(load, keys) {
  const [state, set] = useState({});
  const [turn, again] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (data) => stop.signal.aborted || set({ data }),
      (error) => stop.signal.aborted || set((old) => ({ data: old.data, error })),
    );
    return () => stop.abort();
  }, [...keys, turn]);
  return { ...state, again: () => again((n) => n + 1) };
}

/** What stands in a field: a value until something is typed, and the next value when there is one. */
export function useDraft(value) {
  const shown = useRef(value);
  const [draft, setDraft] = useState(value);
  // The first effect may come after the first key: it must not take back what was typed.
  useEffect(() => { if (shown.current !== value) { shown.current = value; setDraft(value); } }, [value]);
  return [draft, setDraft];
}

/** Called when something in the memory changes. */
export function useChanges(heard, keys) {
  useEffect(() => {
    let timer;
    const listener = (event) => { clearTimeout(timer); timer = setTimeout(() => heard(event.detail), 150); };
    addEventListener("memory-change", listener);
    return () => { clearTimeout(timer); removeEventListener("memory-change", listener); };
  }, keys);
}

export function Problem({ error }) {
  return error ? html`<p class="error" role="alert">${error.message}. ${error.hint}</p>` : null;
}

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
export function Time({ at }) {
  if (!at) return null;
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) || ["minute", 60];
  const text = Math.abs(seconds) > 30 * 86400 ? at.slice(0, 10) : RELATIVE.format(Math.round(seconds / size), unit);
  return html`<time class="dim small nowrap" datetime=${at} title=${at}>${text}</time>`;
}

export const Actor = ({ by, kind }) =>
  html`<span class=${`chip ${kind === "agent" || kind === "token" ? "agent" : ""}`}>${by === "edit" ? "hand edit" : by}</span>`;

export const PageLink = ({ slug, title, extra = "", ...more }) =>
  html`<a href=${pageAddress(slug, extra)} ...${more}>${title || slug}</a>`;
