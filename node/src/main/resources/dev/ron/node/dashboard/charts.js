// Lines over time with axes, a legend and the values under the pointer. Colours come from classes, never from here.
import {h, s} from "./dom.js";

const LEFT = 60;
const BOTTOM = 20;
const TOP = 12;
const HEIGHT = 168;
export const COLOURS = 8;

/**
 * A figure that is drawn anew by its update(rows, lines). A row has its time in `at`; a line is
 * {name, colour, of: row => number or null}.
 */
export function chart(title, format) {
  const picture = s("svg", {class: "chart", height: HEIGHT, role: "img", "aria-label": title});
  const legend = h("ul.legend");
  const told = h(".told", {hidden: true, "aria-hidden": "true"});
  const figure = h("figure.card.plot", h("figcaption", h("h2", title), legend), h(".canvas", picture, told));
  let drawn = null;
  picture.addEventListener("pointermove", event => drawn && point(event, picture, told, drawn, format));
  picture.addEventListener("pointerleave", () => {
    told.hidden = true;
    picture.querySelector(".cursor")?.remove();
  });
  let redraw = () => {};
  new ResizeObserver(() => redraw()).observe(picture.parentNode);
  figure.update = (rows, lines, spanMs) => {
    redraw = () => { drawn = draw(picture, rows, lines, spanMs, format); };
    redraw();
    picture.setAttribute("aria-label", `${title}: ${lines.map(line => `${line.name} ${last(rows, line, format)}`).join(", ")}`);
    legend.replaceChildren(...lines.map(line => h("li", h(`i.key.c${line.colour}`), line.name, " ", h("b", last(rows, line, format)))));
  };
  return figure;
}

const last = (rows, line, format) => rows.length === 0 ? "–" : format(line.of(rows.at(-1)));

function draw(picture, rows, lines, spanMs, format) {
  const width = Math.max(240, picture.parentNode.clientWidth || 560);
  const right = width - 6;
  const end = rows.at(-1)?.at ?? Date.now();
  const top = nice(Math.max(0, ...rows.flatMap(row => lines.map(line => line.of(row) ?? 0))));
  const x = at => LEFT + (1 - (end - at) / spanMs) * (right - LEFT);
  const y = value => TOP + (1 - value / top) * (HEIGHT - BOTTOM - TOP);
  picture.setAttribute("width", width);
  picture.replaceChildren();
  for (const share of [0, 0.5, 1]) {
    picture.append(s("path", {class: "grid-line", d: `M${LEFT},${y(top * share)} H${right}`}), words(LEFT - 6, y(top * share) + 4, "end", format(top * share)));
  }
  for (const share of [0, 0.5, 1]) {
    const at = new Date(end - spanMs * (1 - share));
    picture.append(words(LEFT + (right - LEFT) * share, HEIGHT - 4, share === 0 ? "start" : share === 1 ? "end" : "middle", clock(at)));
  }
  for (const line of lines) picture.append(...pieces(rows, line, x, y));
  return {rows, lines, x, width, right};
}

/** A line ends where nothing was measured and goes on after it. */
function pieces(rows, line, x, y) {
  const paths = [];
  let run = [];
  const close = () => {
    if (run.length === 1) paths.push(s("circle", {class: `c${line.colour} dot`, cx: run[0][0], cy: run[0][1], r: 2}));
    if (run.length > 1) paths.push(s("path", {class: `c${line.colour} line`, d: `M${run.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" L")}`}));
    run = [];
  };
  for (const row of rows) {
    const value = line.of(row);
    if (value === null || value === undefined) close();
    else run.push([x(row.at), y(value)]);
  }
  close();
  return paths;
}

function words(x, y, anchor, text) {
  const element = s("text", {x, y, "text-anchor": anchor});
  element.textContent = text;
  return element;
}

const clock = date => date.toLocaleTimeString([], {hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false});

/** One, two or five times a power of ten: a scale that does not jump at every reading. */
function nice(most) {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].find(step => most <= step * power) * power;
}

function point(event, picture, told, {rows, lines, x, width}, format) {
  if (rows.length === 0) return;
  const at = event.clientX - picture.getBoundingClientRect().left;
  const row = rows.reduce((best, one) => Math.abs(x(one.at) - at) < Math.abs(x(best.at) - at) ? one : best);
  picture.querySelector(".cursor")?.remove();
  picture.append(s("path", {class: "cursor", d: `M${x(row.at)},${TOP} V${HEIGHT - BOTTOM}`}));
  told.hidden = false;
  told.replaceChildren(h("b", clock(new Date(row.at))), lines.map(line => [line, line.of(row)])
    .filter(([, value]) => value !== null && value !== undefined)
    .sort((a, b) => b[1] - a[1])
    .map(([line, value]) => h("div", h(`i.key.c${line.colour}`), `${line.name} ${format(value)}`)));
  told.style.left = `${Math.min(width - 170, Math.max(LEFT, x(row.at) + 10))}px`;
}

/** A line without axes, for a cell of a table. */
export function spark(label, values) {
  const most = Math.max(1e-9, ...values.map(value => value ?? 0));
  const picture = s("svg", {viewBox: "0 0 100 24", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label});
  if (values.length > 1) {
    const at = (value, index) => `${(index / (values.length - 1) * 100).toFixed(1)},${(22 - (value ?? 0) / most * 20).toFixed(1)}`;
    picture.append(s("path", {d: `M${values.map(at).join(" L")}`}));
  }
  return picture;
}
