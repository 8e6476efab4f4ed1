// The last events of the node, as its log has them; newest first.
import {json} from "./api.js";
import {h, table} from "./dom.js";

const KEPT = 2048;
const SHOWN = 300;
const RANK = {debug: 0, info: 1, warn: 2, error: 3};

export function logs(place) {
  const kept = [];
  let next = 0;
  let over = false;
  const words = h("input", {name: "words", type: "search", placeholder: "event, field or value", "aria-label": "Filter", oninput: () => draw()});
  const level = h("select", {name: "level", "aria-label": "Least level", onchange: () => draw()},
    Object.keys(RANK).slice(1).map(name => h("option", {value: name}, `${name} and above`)));
  const service = h("select", {name: "service", "aria-label": "Service", onchange: () => draw()}, h("option", {value: ""}, "all services"));
  const requests = h("input", {type: "checkbox", name: "requests", onchange: () => draw()});
  const follow = h("input", {type: "checkbox", name: "follow", checked: true});
  const list = h(".card", {id: "logs"});
  place.append(h("h1", "Logs"), h(".card", h(".row", h("label", "Filter", words), h("label", "Level", level), h("label", "Service", service),
    h("label.check", requests, " requests too"), h("label.check", follow, " follow"))), list);

  function draw() {
    const wanted = words.value.trim().toLowerCase();
    const found = kept.filter(line => (requests.checked || line.event !== "request") && RANK[line.level] >= RANK[level.value] && (service.value === "" || line.service === service.value)
      && (wanted === "" || text(line).includes(wanted)));
    list.replaceChildren(table([
      {name: "time", of: line => h("time.nowrap", {datetime: line.at, title: line.at}, new Date(line.at).toLocaleTimeString([], {hour12: false}))},
      {name: "level", of: line => h(line.level === "error" ? "span.tag.bad" : line.level === "warn" ? "span.tag.warn" : "span.tag", line.level)},
      {name: "service", of: line => line.service},
      {name: "event", of: line => h("b", line.event)},
      {name: "fields", of: line => h("span.mono", Object.entries(line.fields).map(([name, value]) => h("span.field", h("i", name), `=${value} `)))},
    ], found.slice(-SHOWN).reverse(), kept.length === 0 ? "nothing yet" : "no event fits the filter", {stack: true}),
    found.length > SHOWN ? h("p.soft", `${found.length} events fit; the newest ${SHOWN} are shown.`) : "");
  }

  const turn = async () => {
    if (over) return;
    if (follow.checked && !document.hidden) {
      try {
        const told = await json(null, `/logs?from=${next}`);
        if (told.lines.length > 0 || next === 0) {
          kept.push(...told.lines);
          kept.splice(0, Math.max(0, kept.length - KEPT));
          next = told.next;
          offer(service, new Set(kept.map(line => line.service)));
          draw();
        }
      } catch (failure) {
        list.replaceChildren(h("p.soft", failure.message));
      }
    }
    setTimeout(turn, 2000);
  };
  turn();
  return () => { over = true; };
}

const text = line => `${line.service} ${line.event} ${Object.entries(line.fields).map(pair => pair.join("=")).join(" ")}`.toLowerCase();

function offer(select, names) {
  const known = new Set([...select.options].map(option => option.value));
  for (const name of [...names].sort()) if (!known.has(name)) select.append(h("option", {value: name}, name));
}
