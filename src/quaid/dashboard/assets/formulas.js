// Formulas, drawn by the browser; what draws them is loaded where there are some.

/** Formulas as MathML, which the browser draws; what cannot be read stays as it was written. */
export async function formulas(element) {
  const found = [...element.querySelectorAll(".math")].filter((each) => !each.firstElementChild);
  if (!found.length) return;
  const { default: temml } = await import("./vendor/temml.js").catch(() => ({}));
  for (const each of temml ? found : []) {
    const written = each.textContent;
    try {
      temml.render(written, each, { displayMode: each.classList.contains("display"), throwOnError: true, maxExpand: 200 });
      for (const named of each.querySelectorAll("[id]")) named.removeAttribute("id");
      each.title = written;
    } catch { each.textContent = written; }
  }
}
