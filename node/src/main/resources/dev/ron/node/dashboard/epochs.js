// Epochs: compute one, see where each amount comes from, and check its proof in this browser.
import {ask, json} from "./api.js";
import {Hasher} from "./blake3.js";
import {doing, h, note, short, table} from "./dom.js";

export function epochs(place) {
  const shown = h("div");
  const epoch = h("input", {name: "epoch", required: true, placeholder: "2026-11-15"});
  place.append(h("h1", "Epochs"),
    h(".two", h("div", h(".card", h("h2", "Look up"), h("form", {id: "epoch", onsubmit: doing(() => show(epoch.value, shown))},
      h(".row", h("label", "Epoch", epoch), h("button.primary", {type: "submit"}, "Show")))), shown), computing(shown)));
}

function computing(shown) {
  const field = (name, hint) => h("input", {name, placeholder: hint, required: true, spellcheck: "false"});
  const inputs = {epoch: field("id", "2026-11-15"), accounting: field("accounting", "b3:…"), ledger: field("ledger", "b3:…"), policy: field("policy", "b3:…")};
  return h(".card", h("h2", "Compute"), h("p.hint", "Inputs are sealed: upload them under Objects and give their addresses."),
    h("form", {id: "compute", onsubmit: doing(async () => {
      const {epoch, ...rest} = inputs;
      const body = {dry_run: false};
      for (const [name, input] of Object.entries(rest)) body[name] = input.value.trim();
      await ask("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch.value)}/compute`,
        {method: "POST", body: JSON.stringify(body), headers: {"Content-Type": "application/json", Prefer: "wait=10"}});
      note(`epoch ${epoch.value} computed`);
      await show(epoch.value, shown);
    })}, Object.entries(inputs).map(([name, input]) => h("label", name, input)), h("button.primary", {type: "submit"}, "Compute")));
}

async function show(epoch, shown) {
  const run = await json("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}`);
  const text = await (await ask("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}/allocations?limit=100&format=ndjson`)).text();
  const lines = text.split("\n").filter(line => line !== "").map(line => JSON.parse(line));
  const explained = h(".card", {hidden: true, id: "explained"});
  shown.replaceChildren(
    h(".card", h("h2", `Epoch ${epoch}`), h("pre", JSON.stringify(run, null, 2))),
    h(".card", h("h2", "Allocations"), table([
      {name: "actor", of: row => h("button.mono", {type: "button", "data-actor": row.actor, onclick: doing(() => explain(epoch, run, row.actor, explained))}, row.actor)},
      {name: "amount", number: true, of: row => row.amount_minor},
      {name: "score", number: true, of: row => row.score},
    ], lines, "no allocation")), explained);
}

async function explain(epoch, run, actor, explained) {
  const line = await json("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}/allocations/${encodeURIComponent(actor)}`);
  const root = climb(line);
  const wanted = run.root ?? line.root ?? "";
  const holds = wanted.replace(/^b3:/, "") === root;
  explained.hidden = false;
  explained.replaceChildren(h("h2", `Why ${line.amount_minor} for ${actor}`),
    h("ul", (line.explanation ?? []).map(sentence => h("li", sentence))),
    h("h3", "Proof"),
    h("p", holds ? h("span.tag.good", "holds, checked here") : h("span.tag.bad", `does not hold: climbs to ${short(root)}`)),
    h("ol.proof", (line.proof ?? []).map(step => h("li", `${step.side} ${step.hash}`))), h("p.mono.soft", `root ${wanted}`));
}

/** The root that the line and its proof lead to; the formats are those of the rewarder's page in the docs. */
function climb(line) {
  const actor = new TextEncoder().encode(line.actor);
  let value = new Hasher().update(new TextEncoder().encode("ron/leaf/v1")).update(big(BigInt(line.line), 8))
    .update(big(BigInt(actor.length), 4)).update(actor).update(big(BigInt(line.amount_minor), 16)).digest();
  for (const step of line.proof ?? []) {
    const other = unhex(step.hash.replace(/^b3:/, ""));
    const node = new Hasher().update(new TextEncoder().encode("ron/node/v1"));
    value = (step.side === "left" ? node.update(other).update(value) : node.update(value).update(other)).digest();
  }
  return Array.from(value, byte => byte.toString(16).padStart(2, "0")).join("");
}

function big(number, size) {
  const out = new Uint8Array(size);
  for (let i = size - 1; i >= 0; i--, number >>= 8n) out[i] = Number(number & 0xffn);
  return out;
}

const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));
