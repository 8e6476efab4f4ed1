// Each service as it works: channels on the left with what lies in them, the tasks that take from them on the right.
import {h, s} from "./dom.js";
import {watch} from "./live.js";

const ROW = 40;
const BOX = 32;
/** Below this width the picture becomes two lists. */
const NARROW = 620;
/** How long a channel that dropped or refused something stays lit. */
const LIT_MS = 10000;
const POOL_SHOWN = 3;

export function graph(place) {
  const all = h("div");
  place.append(h("h1", "Tasks and channels"),
    h("p.soft", "A channel is a bounded queue; its bar says how full it is. Lines lead to the tasks that take from it and run while items pass. ",
      "Red means that a channel lost or refused something within the last ten seconds, or that a task failed."), all);
  return watch(now => all.replaceChildren(...now.services.length === 0 ? [h("p.soft", "connecting")] : now.services.map(service =>
    h("section.card", {"data-service": service.name, "aria-label": service.name},
      h("header", h("h2", service.name), h("span.soft", doorWords(service))),
      all.clientWidth < NARROW ? lists(service) : h(".scroll", picture(service, all.clientWidth - 34))))));
}

const doorWords = service => service.figures ? `${service.figures.perSecond.toFixed(service.figures.perSecond < 10 ? 1 : 0)} requests/s at its door` : "";

/** Tasks of a kind are one box once there are more than a few of them: what matters is how many and how they do. */
function tasksOf(service) {
  const kinds = Map.groupBy(service.tasks, task => task.kind);
  return [...kinds.values()].flatMap(members => members.length <= POOL_SHOWN && !pooledAwaits(members)
    ? members.map(task => box(task.path.split("/").pop(), [task]))
    : [box(members.length > 1 ? `${members[0].kind} × ${members.length}` : members[0].kind, members)]);
}

/** Members of a pool that each have a channel of their own, as shards have, are drawn as one. */
const pooledAwaits = members => members.length > 1 && new Set(members.map(task => task.awaits.map(root).join())).size === 1;

const box = (label, tasks) => ({
  label, tasks, awaits: new Set(tasks.flatMap(task => task.awaits.map(root))),
  restarts: tasks.reduce((total, task) => total + task.restarts, 0),
});

const root = name => name.replace(/-\d+$/, "");

/** What a channel had lost and let through at the last reading, and when it last lost something. */
const seen = new Map();

/** Channels that differ only in a number are shown as one, with the fullest of them. */
function channelsOf(service) {
  return [...Map.groupBy(service.channels, channel => root(channel.name))].map(([name, members]) => {
    const sum = what => members.reduce((total, one) => total + (one[what] ?? 0), 0);
    const channel = {
      ...members.reduce((fullest, one) => one.depth > fullest.depth ? one : fullest),
      root: name, label: members.length > 1 ? `${name} × ${members.length}` : members[0].name,
      dropped: sum("dropped"), rejected: sum("rejected"), passed: members.some(one => one.passed !== undefined) ? sum("passed") : null,
    };
    return {...channel, ...movement(`${service.name}/${name}`, channel)};
  });
}

function movement(key, channel) {
  const now = performance.now();
  const before = seen.get(key);
  const lost = channel.dropped + channel.rejected;
  const elapsed = before ? (now - before.at) / 1000 : 0;
  if (before && elapsed < 0.5) return before.told;
  const litAt = before && lost > before.lost ? now : before?.litAt ?? -Infinity;
  const told = {
    rate: before && channel.passed !== null && elapsed > 0 ? Math.max(0, channel.passed - before.passed) / elapsed : 0,
    losing: now - litAt < LIT_MS,
  };
  seen.set(key, {at: now, lost, passed: channel.passed, litAt, told});
  return told;
}

/** Tasks in their own order; channels beside the first task that takes from them, and those of no task last. */
function arranged(service) {
  const tasks = tasksOf(service).sort((a, b) => (b.awaits.size > 0) - (a.awaits.size > 0));
  const channels = channelsOf(service);
  const place = channel => {
    const index = tasks.findIndex(task => task.awaits.has(channel.root));
    return index < 0 ? tasks.length : index;
  };
  return {tasks, channels: channels.sort((a, b) => place(a) - place(b))};
}

function picture(service, width) {
  const {tasks, channels} = arranged(service);
  if (tasks.length + channels.length === 0) return doorAlone();
  const left = Math.floor(width * 0.5);
  const lines = Math.floor(width * 0.14);
  const right = width - left - lines;
  const height = Math.max(1, tasks.length, channels.length) * ROW + 4;
  const image = s("svg", {class: "tree", width, height, role: "img", "aria-label": spoken(service, tasks, channels)});
  const y = index => index * ROW + ROW / 2;
  channels.forEach((channel, from) => tasks.forEach((task, to) => {
    if (!task.awaits.has(channel.root)) return;
    const edge = s("path", {class: channel.losing ? "edge losing" : channel.rate > 0 ? "edge flowing" : "edge",
      d: `M${left},${y(from)} C${left + lines / 2},${y(from)} ${left + lines / 2},${y(to)} ${left + lines},${y(to)}`});
    edge.setAttribute("stroke-width", (1.4 + Math.min(4, Math.log2(1 + channel.rate) / 2)).toFixed(1));
    image.append(edge);
  }));
  channels.forEach((channel, index) => image.append(channelBox(channel, y(index), left)));
  tasks.forEach((task, index) => image.append(taskBox(task, y(index), left + lines, right)));
  return image;
}

const doorAlone = () => h("p.soft", "a door alone: the tasks that work for it are those of the service behind it");

const spoken = (service, tasks, channels) => `${service.name}: ${tasks.length} kinds of tasks, ${channels.length} kinds of channels`
  + (channels.some(channel => channel.losing) ? `; losing: ${channels.filter(channel => channel.losing).map(channel => channel.label).join(", ")}` : "");

function channelBox(channel, y, width) {
  const share = Math.min(1, channel.depth / Math.max(1, channel.capacity));
  const bar = Math.floor(width * 0.2);
  const at = width - bar - 12;
  const group = s("g", {}, s("rect", {x: 1, y: y - BOX / 2, width: width - 2, height: BOX, rx: 7, class: channel.losing ? "failed" : ""}),
    s("rect", {x: at, y: y - 4, width: bar, height: 8, rx: 4, class: "trough"}),
    s("rect", {x: at, y: y - 4, width: Math.max(share > 0 ? 3 : 0, bar * share), height: 8, rx: 4, class: `level ${mood(channel, share)}`}));
  const figures = `${channel.depth.toLocaleString()} / ${compact(channel.capacity)}${channel.rate > 0 ? ` · ${channel.rate.toFixed(channel.rate < 10 ? 1 : 0)}/s` : ""}`;
  const lost = lostWords(channel);
  group.append(label(10, y + (lost ? -2 : 4), fitted(channel.label, width * 0.38), "", `${channel.label}: ${channel.kind}; full: ${channel.overflow}`),
    label(at - 10, y + 4, figures, "soft", "", "end"));
  if (lost) group.append(label(10, y + 11, fitted(lost, width * 0.42), channel.losing ? "hot small" : "lost small", lost));
  return group;
}

/** A pool that is all lent is busy and no failure; a queue that is nearly full is about to be one. */
const mood = (channel, share) => share > 0.8 && channel.kind !== "pool" ? "high" : share > 0.5 ? "half" : "";

const lostWords = channel => [channel.dropped > 0 ? `${channel.dropped.toLocaleString()} dropped` : "",
  channel.rejected > 0 ? `${channel.rejected.toLocaleString()} refused` : ""].filter(word => word).join(", ");

function taskBox(task, y, x, width) {
  const state = stateOf(task);
  const words = `${task.restarts > 0 ? `${task.restarts} restarts · ` : ""}${state}`;
  const detail = `restart ${task.tasks[0].restart}${task.awaits.size > 0 ? `, waits for ${[...task.awaits].join(", ")}` : ", by the clock"}`;
  return s("g", {}, s("rect", {x, y: y - BOX / 2, width: width - 2, height: BOX, rx: 7, class: state}),
    label(x + 10, y + 4, fitted(task.label, width * 0.6), "", `${task.label}: ${detail}`),
    label(x + width - 12, y + 4, words, task.restarts > 0 ? "hot" : "soft", "", "end"));
}

function stateOf(task) {
  const states = new Set(task.tasks.map(one => one.state));
  return ["failed", "restarting", "running", "waiting"].find(state => states.has(state)) ?? [...states][0];
}

function label(x, y, text, kind, title, anchor = "start") {
  const element = s("text", {x, y, "text-anchor": anchor, class: kind});
  element.textContent = text;
  if (title) {
    const whole = s("title");
    whole.textContent = title;
    element.append(whole);
  }
  return element;
}

/** A label as long as its place: twelve pixels of a sans serif are seldom wider than seven. */
const fitted = (text, width) => text.length * 7 <= width ? text : `${text.slice(0, Math.max(3, Math.floor(width / 7) - 1))}…`;

const compact = count => count >= 1048576 ? `${Math.round(count / 1048576)} Mi` : count.toLocaleString();

/** The same for a phone, without the lines: a task says what it waits for. */
function lists(service) {
  const {tasks, channels} = arranged(service);
  if (tasks.length + channels.length === 0) return doorAlone();
  return h("div", h("h3", "Channels"), channels.map(channel => {
    const share = Math.min(1, channel.depth / Math.max(1, channel.capacity));
    const fill = h(`i.${mood(channel, share) || "calm"}`);
    fill.style.width = `${share * 100}%`;
    return h(channel.losing ? ".gauge.losing" : ".gauge", h("span.name", channel.label), h("span.bar", fill),
      h("span", `${channel.depth} / ${compact(channel.capacity)} `, lostWords(channel) ? h("span.tag.warn", lostWords(channel)) : ""));
  }), channels.length === 0 ? h("p.soft", "none") : "", h("h3", "Tasks"), tasks.map(task => h("p.line", h("b", task.label), " ",
    h(stateOf(task) === "failed" ? "span.tag.bad" : "span.tag", stateOf(task)), " ",
    h("span.soft", task.awaits.size > 0 ? `waits for ${[...task.awaits].join(", ")}` : "by the clock"))));
}
