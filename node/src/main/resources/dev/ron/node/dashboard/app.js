// The frame of the dashboard: which view is shown, dark or light, and the capability.
import {capability} from "./api.js";
import {note} from "./dom.js";
import {start, watch} from "./live.js";
import {buckets} from "./buckets.js";
import {cluster} from "./cluster.js";
import {epochs} from "./epochs.js";
import {graph} from "./graph.js";
import {logs} from "./logs.js";
import {maps} from "./maps.js";
import {objects} from "./objects.js";
import {overview} from "./overview.js";
import {queues} from "./queues.js";
import {settings} from "./settings.js";
import {tenants} from "./tenants.js";

const views = {overview, graph, queues, buckets, objects, maps, epochs, tenants, cluster, logs, settings};
const place = document.getElementById("view");
let leave = () => {};

function show() {
  const name = /^#\/(\w+)/.exec(location.hash)?.[1];
  const chosen = views[name] ? name : "overview";
  for (const link of document.querySelectorAll("body > header nav a")) {
    if (link.hash === `#/${chosen}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({block: "nearest", inline: "nearest"});
    } else link.removeAttribute("aria-current");
  }
  leave();
  place.replaceChildren();
  leave = views[chosen](place) ?? (() => {});
  document.title = `${chosen} · Ron`;
}

const pulse = document.getElementById("pulse");
watch(({services, failed}) => {
  const sick = services.filter(one => !one.ready.ok).map(one => one.name);
  pulse.className = failed || sick.length > 0 ? "pulse bad" : services.length > 0 ? "pulse good" : "pulse";
  pulse.textContent = failed ? "no answer from the node"
    : sick.length > 0 ? `not ready: ${sick.join(", ")}` : services.length > 0 ? "all ready" : "connecting";
});

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("ron.theme", root.dataset.theme);
});
const kept = localStorage.getItem("ron.theme");
if (kept) document.documentElement.dataset.theme = kept;

const dialog = document.getElementById("unlocking");
const token = document.getElementById("token");
document.getElementById("unlock").addEventListener("click", () => {
  token.value = capability.held();
  dialog.showModal();
});
dialog.addEventListener("close", () => {
  if (dialog.returnValue === "keep") capability.keep(token.value);
  if (dialog.returnValue === "forget") capability.keep("");
  token.value = "";
  if (dialog.returnValue !== "cancel") {
    note(capability.held() ? "capability kept for this tab" : "capability forgotten");
    show();
  }
});

function takeFromAddress() {
  if (capability.takeFromAddress()) {
    note("the link brought another capability, which was not taken: press Capability to change yours", true);
  }
}

takeFromAddress();
window.addEventListener("hashchange", () => {
  takeFromAddress();
  show();
});
show();
start();
