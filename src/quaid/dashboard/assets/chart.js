// A map of pages, drawn by the graphics card: the library is loaded when a map is.

const COLOURS = ["#4f7be8", "#e0793a", "#3fa66b", "#b56cd6", "#d9485f", "#2fa4b8", "#a8893a", "#7a6ff0", "#c2588f", "#6b8f3a"];
const OTHER = "#8a93a3";
const MANY = 3000; // links, above which they are not drawn while the map moves

/** The colour of each type, the most frequent first. */
export function coloursOf(pages) {
  const counts = new Map();
  for (const page of pages) counts.set(page.type, (counts.get(page.type) || 0) + 1);
  const types = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).map(([type]) => type);
  return new Map(types.map((type, place) => [type, COLOURS[place] || OTHER]));
}

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const holds = (link, day) => !day || ((!link.valid_from || link.valid_from <= day) && (!link.valid_until || link.valid_until > day));

/** Which pages and links are shown. A kind of link leaves those pages that have none of it. */
export function visible({ pages, links }, wish) {
  const fits = (page) => (!wish.type || page.type === wish.type) && (!wish.collection || page.collection === wish.collection);
  const shown = new Set(), kept = links.filter((link) => fits(pages[link.from]) && fits(pages[link.to]) && (!wish.relation || link.relationship === wish.relation) && holds(link, wish.day));
  if (wish.relation) for (const link of kept) shown.add(link.from).add(link.to);
  else pages.forEach((page, place) => fits(page) && shown.add(place));
  return { pages: shown, links: kept };
}

function graphOf(Graph, { pages, links }, colours, width) {
  const graph = new Graph({ type: "directed", multi: false });
  const size = Math.max(0.25, Math.min(1.2, 20 / Math.sqrt(pages.length))) * Math.sqrt(Math.min(1, width / 800));
  const radius = (page) => Math.min(5 + 8 * size, 1.2 + 1.5 * size + size * Math.sqrt(page.links)) + (page.middle ? 2 : 0);
  pages.forEach((page, place) => graph.addNode(place, { x: page.x, y: page.y, label: page.title || page.slug, color: colours.get(page.type), size: radius(page) }));
  for (const link of links) if (!graph.hasEdge(link.from, link.to)) graph.addEdge(link.from, link.to, { size: pages.length > 1000 ? 0.25 : 1 });
  return graph;
}

// The library's own has a white ground, also in the dark.
function drawHover(context, data, settings) {
  if (!data.label) return;
  const height = settings.labelSize + 8;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const width = context.measureText(data.label).width + 10;
  context.fillStyle = styleOf("card");
  context.strokeStyle = styleOf("line");
  context.beginPath();
  context.roundRect(data.x + data.size + 3, data.y - height / 2, width, height, 5);
  context.fill();
  context.stroke();
  context.fillStyle = styleOf("ink");
  context.fillText(data.label, data.x + data.size + 8, data.y + settings.labelSize / 3);
}

/** Draw a map. `chosen` is called with the place of a page that somebody clicks, `opened` with one that they open. */
export async function draw(container, data, { chosen, opened }) {
  const { Sigma, Graph } = await import("./vendor/sigma-graphology.js");
  const graph = graphOf(Graph, data, coloursOf(data.pages), container.clientWidth);
  const state = { pages: new Set(), links: new Set(), page: null, near: new Set() };
  const shade = {}; // read once for each theme: there are thousands of links
  const sigma = new Sigma(graph, container, {
    allowInvalidContainer: true, hideEdgesOnMove: data.links.length > MANY, labelFont: "system-ui, sans-serif", labelSize: 13, labelDensity: 0.6, labelRenderedSizeThreshold: data.pages.length > 500 ? 6 : 4,
    minCameraRatio: 0.01, maxCameraRatio: 3, zIndex: true, defaultDrawNodeHover: drawHover,
    nodeReducer: (node, values) => {
      const place = Number(node);
      if (!state.pages.has(place)) return { ...values, hidden: true };
      if (state.page === null) return values;
      if (place === state.page) return { ...values, forceLabel: true, highlighted: true, zIndex: 2 };
      return state.near.has(place) ? { ...values, forceLabel: state.near.size < 15, zIndex: 1 } : { ...values, color: shade.line, label: "" };
    },
    edgeReducer: (edge, values) => {
      const [from, to] = graph.extremities(edge);
      if (!state.links.has(`${from} ${to}`)) return { ...values, hidden: true };
      const own = state.page !== null && (Number(from) === state.page || Number(to) === state.page);
      return { ...values, color: own ? shade.accent : shade.edge, size: own ? 1.6 : values.size, zIndex: own ? 1 : 0, hidden: state.page !== null && !own && data.pages.length > 1000 };
    },
  });
  const dress = () => { for (const name of ["line", "accent", "edge"]) shade[name] = styleOf(name); sigma.setSetting("labelColor", { color: styleOf("ink") }); sigma.refresh(); };
  const theme = matchMedia("(prefers-color-scheme: dark)"), calm = matchMedia("(prefers-reduced-motion: reduce)");
  theme.addEventListener("change", dress);
  sigma.on("clickNode", ({ node }) => chosen(Number(node)));
  sigma.on("clickStage", () => chosen(null));
  sigma.on("doubleClickNode", (event) => { event.preventSigmaDefault(); opened(Number(event.node)); });
  sigma.on("enterNode", () => { container.style.cursor = "pointer"; });
  sigma.on("leaveNode", () => { container.style.cursor = ""; });
  dress();
  return {
    show(shown) {
      state.pages = shown.pages;
      state.links = new Set(shown.links.map((link) => `${link.from} ${link.to}`));
      sigma.refresh();
    },
    choose(place, near, move) {
      Object.assign(state, { page: place, near });
      sigma.refresh();
      if (place !== null && move) {
        const { x, y } = sigma.getNodeDisplayData(place);
        sigma.getCamera().animate({ x, y, ratio: Math.min(0.35, sigma.getCamera().ratio) }, { duration: calm.matches ? 0 : 300 });
      }
    },
    whole: () => sigma.getCamera().animatedReset({ duration: calm.matches ? 0 : 300 }),
    placeOf: (place) => sigma.framedGraphToViewport(sigma.getNodeDisplayData(place)),
    end() { theme.removeEventListener("change", dress); sigma.kill(); },
  };
}
