// The supervisor tree of each service, and its channels with what lies in them.
import {h, s} from "./dom.js";
import {watch} from "./live.js";

const ROW = 34;
/** Widths of the root's box, the lines, and the children's boxes: together what the narrowest desktop column has. */
const ROOT = 92;
const LINES = 44;
const BOX = 300;
const POOL_SHOWN = 4;

export function graph(place) {
  const all = h("div");
  place.append(h("h1", "Tasks and channels"), all);
  return watch(now => all.replaceChildren(...now.services.map(service =>
    h(".card", {"data-service": service.name},
      h("h2", service.name), h(".two.graph", h(".scroll", tree(service)), h("div", channels(service)))))));
}

/** A pool of equal tasks is one box once it is longer than a few: what matters is how many and how they do. */
function grouped(tasks) {
  const kinds = new Map();
  for (const task of tasks) kinds.set(task.kind, [...kinds.get(task.kind) ?? [], task]);
  return [...kinds.values()].flatMap(members => members.length <= POOL_SHOWN
    ? members.map(task => ({label: task.path.split("/").pop(), tasks: [task]}))
    : [{label: `${members[0].kind} × ${members.length}`, tasks: members}]);
}

function tree(service) {
  const boxes = [...grouped(service.tasks), {label: "http", tasks: [], door: true}];
  const height = Math.max(boxes.length * ROW, ROW) + 8;
  const middle = height / 2;
  const picture = s("svg", {class: "tree", width: ROOT + LINES + BOX + 4, height, role: "img", "aria-label": `${service.name}: ${boxes.length} children`});
  boxes.forEach((box, index) => {
    const y = index * ROW + ROW / 2 + 4;
    picture.append(s("path", {d: `M${ROOT + 2},${middle} C${ROOT + LINES * 0.8},${middle} ${ROOT + LINES * 0.3},${y} ${ROOT + LINES},${y}`}));
  });
  picture.append(boxAt(2, middle, ROOT, "root", service.name, ""));
  boxes.forEach((box, index) => picture.append(boxAt(ROOT + LINES, index * ROW + ROW / 2 + 4, BOX, stateOf(box), box.label, said(box), restarts(box) > 0)));
  return picture;
}

function stateOf(box) {
  if (box.door) return "running";
  const states = new Set(box.tasks.map(task => task.state));
  return states.has("failed") || states.has("restarting") ? "failed" : states.has("running") ? "running" : "waiting";
}

const restarts = box => box.tasks.reduce((total, task) => total + task.restarts, 0);

function said(box) {
  if (box.door) return "door";
  const count = restarts(box);
  const states = [...new Set(box.tasks.map(task => task.state))].join(", ");
  return `${states} · restart ${box.tasks[0].restart}${count > 0 ? ` · ${count} restarts` : ""}`;
}

function boxAt(x, y, width, kind, label, detail, hot = false) {
  const group = s("g", {}, s("rect", {x, y: y - 14, width, height: 28, rx: 7, class: kind}));
  const name = s("text", {x: x + 10, y: y + 4});
  name.textContent = label;
  group.append(name);
  if (detail) {
    const more = s("text", {x: x + width - 10, y: y + 4, "text-anchor": "end", class: hot ? "hot" : "soft"});
    more.textContent = detail;
    group.append(more);
  }
  return group;
}

/** Channels that differ only in a number are shown as one, with the fullest of them. */
function pooled(channels) {
  const pools = new Map();
  for (const channel of channels) {
    const name = channel.name.replace(/-\d+$/, "");
    pools.set(name, [...pools.get(name) ?? [], channel]);
  }
  return [...pools].map(([name, members]) => ({
    ...members.reduce((fullest, one) => one.depth > fullest.depth ? one : fullest),
    name: members.length > 1 ? `${name} × ${members.length}` : members[0].name,
    dropped: members.reduce((total, one) => total + one.dropped, 0),
    rejected: members.reduce((total, one) => total + one.rejected, 0),
  }));
}

/** What each channel had dropped and refused at the last reading: one that has more now lights up. */
const seen = new Map();
const key = (service, channel) => `${service.name}/${channel.name}`;

function channels(service) {
  if (service.channels.length === 0) return h("p.soft", "no channels");
  return pooled(service.channels).map(channel => {
    const share = Math.min(1, channel.depth / Math.max(1, channel.capacity));
    const fill = h(share > 0.8 ? "i.high" : "i");
    fill.style.width = `${share * 100}%`;
    const losing = channel.dropped + channel.rejected > (seen.get(key(service, channel)) ?? Infinity);
    seen.set(key(service, channel), channel.dropped + channel.rejected);
    const lost = [channel.dropped > 0 ? `${channel.dropped} dropped` : "", channel.rejected > 0 ? `${channel.rejected} refused` : ""];
    return h(losing ? ".gauge.losing" : ".gauge", {title: `${channel.kind}, full: ${channel.overflow}`},
      h("span.name", channel.name), h("span.bar", fill),
      h("span", `${channel.depth} / ${channel.capacity} `, h("span.soft", channel.overflow), " ",
        lost.filter(word => word !== "").map(word => h("span.tag.warn", word))));
  });
}
