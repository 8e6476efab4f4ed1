// Small words for building pages. Text is always text here: nothing that a service sent becomes markup.

/** h("p.soft", {onclick}, "text", child...) makes an element; falsy children are left out. */
export function h(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length > 0) element.className = classes.join(" ");
  if (rest.length > 0 && isAttributes(rest[0])) attach(element, rest.shift());
  element.append(...rest.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat());
  return element;
}

function isAttributes(value) {
  return value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);
}

function attach(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
}

/** On a phone each row of a table with {stack: true} becomes a small card, its cells labelled by their columns. */
export function table(columns, rows, empty = "nothing here", {stack = false, mark = () => ({})} = {}) {
  if (rows.length === 0) return h("p.soft", empty);
  return h(".scroll", h(stack ? "table.stack" : "table",
    h("thead", h("tr", columns.map(column => h(column.number ? "th.number" : "th", {scope: "col"}, column.name)))),
    h("tbody", rows.map(row => h("tr", mark(row),
      columns.map(column => h(column.number ? "td.number" : "td", {"data-label": column.name}, column.of(row))))))));
}

/** Puts children in the place of what is there. What had the focus has it again, known by its data: a list is drawn anew every few seconds. */
export function redraw(place, ...children) {
  const held = place.contains(document.activeElement) ? Object.entries(document.activeElement.dataset)[0] : undefined;
  place.replaceChildren(...children);
  if (!held) return;
  const [name, value] = held;
  [...place.querySelectorAll(`[data-${name}]`)].find(one => one.dataset[name] === value)?.focus({preventScroll: true});
}

/** A line that stays a few seconds; failures say what the service said. */
export function note(text, bad = false) {
  const line = h(bad ? ".note.bad" : ".note", text);
  document.getElementById("notes").append(line);
  setTimeout(() => line.remove(), bad ? 12000 : 5000);
}

/** Runs what a button asks for; the button rests meanwhile, and a failure is shown. */
export function doing(work) {
  return async event => {
    event?.preventDefault?.();
    const button = event?.submitter ?? event?.currentTarget;
    if (button) button.disabled = true;
    try {
      await work(event);
    } catch (failure) {
      note(failure.message, true);
    } finally {
      if (button) button.disabled = false;
    }
  };
}

/** Asks before what cannot be taken back; answers whether it may be done. */
export function sure(question, consequence, deed) {
  const dialog = document.getElementById("asking");
  document.getElementById("question").textContent = question;
  document.getElementById("consequence").textContent = consequence;
  document.getElementById("sure").textContent = deed;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise(answer => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), {once: true}));
}

/** Names and values, as a list that a screen reader reads in pairs. */
export function facts(pairs) {
  return h("dl.facts", pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => [h("dt", name), h("dd", value)]));
}

/** The words of a JSON key: bytes_left is "bytes left". */
export const words = key => key.replaceAll("_", " ");

export function ago(millis) {
  const past = Math.max(0, millis) / 1000;
  if (past < 90) return `${Math.round(past)} s`;
  if (past < 5400) return `${Math.round(past / 60)} min`;
  return past < 129600 ? `${Math.round(past / 3600)} h` : `${Math.round(past / 86400)} d`;
}

/** Hands bytes to the browser's own downloads. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024;
  return `${unit === 0 ? count : count.toFixed(1)} ${units[unit]}`;
}

export function seconds(value) {
  if (value === null || Number.isNaN(value)) return "–";
  if (value < 0.001) return `${(value * 1e6).toFixed(0)} µs`;
  return value < 1 ? `${(value * 1e3).toFixed(1)} ms` : `${value.toFixed(1)} s`;
}

export function short(address) {
  return address.length > 24 ? `${address.slice(0, 15)}…${address.slice(-6)}` : address;
}

export const base64 = {
  encode: data => btoa(Array.from(data, byte => String.fromCharCode(byte)).join("")),
  decode: text => Uint8Array.from(atob(text), character => character.charCodeAt(0)),
};

/** Bytes as text where they are text, else as hex. */
export function readable(data) {
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(data);
  } catch {
    return Array.from(data, byte => byte.toString(16).padStart(2, "0")).join(" ");
  }
}
