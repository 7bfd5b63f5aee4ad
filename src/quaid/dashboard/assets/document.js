// A page's text as it is shown: the lines that matched, tasks, embedded pages, formulas.
import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { newSession, read, write } from "./api.js";
import { undoing } from "./editor.js";
import { formulas } from "./formulas.js";
import { fail, toast } from "./ui.js";

const EMBEDS = 20; // pages that are shown within a page

const piecesOf = (element) => [...element.querySelectorAll(":is(p, li, tr, pre, h1, h2, h3, h4, h5, h6)[data-line]")];

function light(lit) {
  for (const each of lit) each.classList.add("lit");
  lit[0]?.scrollIntoView({ block: "center" });
}

function atLines(element, line) {
  const [from, to] = line.split("-").map(Number);
  const pieces = piecesOf(element), meant = pieces.filter((each) => each.dataset.line >= from && each.dataset.line <= (to || from));
  return meant.length ? meant : pieces.filter((each) => each.dataset.line <= from).slice(-1);
}

// The pieces with most of the words; of pieces within each other, the inner one.
function withWords(element, text) {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const rated = piecesOf(element).map((piece) => [piece, words.filter((word) => piece.textContent.toLowerCase().includes(word)).length]);
  const best = Math.max(0, ...rated.map(([, count]) => count));
  const found = best ? rated.filter(([, count]) => count === best).map(([piece]) => piece) : [];
  return found.filter((piece) => !found.some((other) => other !== piece && piece.contains(other)));
}

// Of a page, the section that is meant: from its heading to the next that is no deeper.
function section(body, name) {
  const level = (each) => (/^H[1-6]$/.test(each.tagName) ? Number(each.tagName[1]) : 9);
  const first = [...body.children].find((each) => each.id === name);
  if (!first) return;
  let inside = false;
  for (const each of [...body.children]) {
    if (each === first) inside = true;
    else if (inside && level(each) <= level(first)) inside = false;
    if (!inside) each.remove();
  }
}

/** Pages that a page embeds are shown in it; what they embed is a link. */
function embed(element) {
  for (const link of [...element.querySelectorAll("a.embed[href^='/page/']")].slice(0, EMBEDS)) {
    const address = new URL(link.href), slug = decodeURIComponent(address.pathname.slice("/page/".length));
    read("render", { slug }).then((shown) => {
      const frame = document.createElement("div"), body = document.createElement("div");
      frame.className = "embedded";
      body.innerHTML = shown.html; // by the same sanitiser as the page itself
      if (address.hash) section(body, decodeURIComponent(address.hash.slice(1)));
      for (const each of body.querySelectorAll("[id]")) each.removeAttribute("id");
      for (const each of body.querySelectorAll("input")) each.disabled = true;
      for (const each of body.querySelectorAll("[data-line]")) each.removeAttribute("data-line");
      link.replaceWith(frame);
      frame.append(link, body);
      formulas(body);
    }, () => {});
  }
}

export function Document({ page, html: markup, line, words, changed }) {
  const element = useRef();
  useEffect(() => {
    if (line) light(atLines(element.current, line));
    else if (words) light(withWords(element.current, words));
    else if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    if (new URLSearchParams(location.search).get("images") === "1") for (const button of element.current.querySelectorAll(".remote-image")) show(button);
    embed(element.current);
    formulas(element.current);
  }, [markup, line, words]);
  const show = (button) => {
    const image = new Image();
    image.referrerPolicy = "no-referrer";
    image.alt = button.dataset.alt;
    image.src = button.dataset.src;
    button.replaceWith(image);
  };
  const tick = async (box) => {
    const lines = page.content.split("\n"), place = Number(box.dataset.line) - 1;
    lines[place] = lines[place].replace(/\[[ xX-]\]/, box.checked ? (page.format === "org" ? "[X]" : "[x]") : "[ ]");
    const session = newSession("tick");
    try {
      await write("put", { slug: page.name, content: lines.join("\n"), expected_version: page.version }, session);
      toast(box.checked ? "Done" : "Not done", undoing(session, changed));
    } catch (error) { fail(error); }
    changed();
  };
  const click = (event) => {
    // Where others may be told what is read, the person says so, and the page is loaded anew with that right.
    if (event.target.closest(".remote-image")) location.assign(`${location.pathname}?images=1`);
    if (event.target.matches("input[type=checkbox]")) tick(event.target);
  };
  return html`<article class="doc" ref=${element} onClick=${click} dangerouslySetInnerHTML=${{ __html: markup }} />`;
}
