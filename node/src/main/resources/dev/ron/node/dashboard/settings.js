// Every setting as the node runs with it, what set it, and whether a change needs a restart. Secrets are not sent.
import {json, post} from "./api.js";
import {doing, h, note, table} from "./dom.js";

export function settings(place) {
  const list = h("div", {id: "settings"});
  const words = h("input", {name: "words", type: "search", placeholder: "key or explanation", "aria-label": "Filter", oninput: () => draw()});
  const changed = h("input", {type: "checkbox", name: "changed", onchange: () => draw()});
  let all = [];
  place.append(h(".head", h("h1", "Settings"), h("button", {type: "button", id: "reload", onclick: doing(async () => {
    const outcome = await post(null, "/reload", {});
    note(outcome.report || "nothing changed", outcome.is_refused);
    await read();
  })}, "Reload configuration")),
  h(".card", h(".row", h("label", "Filter", words), h("label.check", changed, " only what is not the default"))), list);

  function draw() {
    const wanted = words.value.trim().toLowerCase();
    const found = all.filter(one => (!changed.checked || one.from !== "default") && `${one.key} ${one.doc}`.toLowerCase().includes(wanted));
    const sections = Map.groupBy(found, one => one.key.includes(".") ? one.key.split(".")[0] : "all sections");
    list.replaceChildren(...[...sections].map(([section, members]) => h(".card", h("h2", section), settingTable(members))),
      found.length === 0 ? h("p.soft", "no setting fits the filter") : "");
  }
  async function read() {
    all = (await json(null, "/settings")).settings;
    draw();
  }
  read().catch(failure => list.replaceChildren(h(".card", h("p.soft", failure.message))));
}

function settingTable(members) {
  return table([
    {name: "key", of: one => h("div", h("b.mono", one.key), h(".soft", one.doc))},
    {name: "value", of: one => h("div", h("span.mono", one.value), one.is_weakened ? h("div", h("span.tag.bad", `weaker than ${one.fallback}`)) : "")},
    {name: "from", of: one => one.from === "default" ? h("span.soft", "default") : h("span.tag.good", one.from)},
    {name: "a change", of: one => one.is_live ? h("span.tag", "live, by a reload") : h("span.soft", "at restart")},
  ], members, "", {stack: true});
}
