// Epochs: compute one, see where each amount comes from, and check its proof in this browser.
import {ask, json} from "./api.js";
import {Hasher} from "./blake3.js";
import {doing, facts, h, note, short, table} from "./dom.js";

export function epochs(place) {
  const shown = h("div");
  const list = h(".card", {id: "epochs"});
  place.append(h("h1", "Epochs"), h("p.soft", "An epoch turns sealed usage into payouts: a pool of money is divided by the score that each actor has under a policy. ",
    "The same inputs always give the same bytes, so any machine can compute it again and compare the root."),
  h(".two", h("div", list, shown), computing(async epoch => { await refresh(); await show(epoch, shown); })));
  const refresh = async () => {
    try {
      const {epochs: all} = await json("rewarder", "/rewarder/epochs");
      list.replaceChildren(h("h2", "Epochs"), table([
        {name: "epoch", of: row => h("button.link", {type: "button", "data-epoch": row.epoch, onclick: doing(() => show(row.epoch, shown))}, row.epoch)},
        {name: "status", of: row => h(row.status === "closed" ? "span.tag.good" : "span.tag.warn", row.status)},
        {name: "run", of: row => h("span.mono.soft", {title: row.run_key}, short(row.run_key))},
      ], all, "none computed yet", {stack: true}));
    } catch (failure) {
      list.replaceChildren(h("h2", "Epochs"), h("p.soft", failure.message));
    }
  };
  refresh();
}

function computing(computed) {
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
      await computed(epoch.value);
    })}, Object.entries(inputs).map(([name, input]) => h("label", name, input)), h("button.primary", {type: "submit"}, "Compute")));
}

async function show(epoch, shown) {
  const run = await json("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}`);
  const text = await (await ask("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}/allocations?limit=100&format=ndjson`)).text();
  const lines = text.split("\n").filter(line => line !== "").map(line => JSON.parse(line));
  const settlement = await json("rewarder", `/rewarder/epochs/${encodeURIComponent(epoch)}/settlement`).catch(() => null);
  const explained = h(".card", {hidden: true, id: "explained"});
  shown.replaceChildren(
    h(".card", {id: "run"}, h("header", h("h2", `Epoch ${epoch}`), h("span.tag.good", run.status), settled(settlement)), balance(run), sources(run)),
    h(".card", h("h2", "Allocations"), table([
      {name: "actor", of: row => h("button.link", {type: "button", "data-actor": row.actor, onclick: doing(() => explain(epoch, run, row.actor, explained))}, row.actor)},
      {name: "amount", number: true, of: row => row.amount_minor},
      {name: "score", number: true, of: row => row.score},
    ], lines, "no allocation")), explained);
}

const settled = settlement => settlement === null ? "" : h(settlement.state === "settled" ? "span.tag.good" : "span.tag.warn", `ledger: ${settlement.state}`);

/** Where the pool went, as a sum that the reader can follow; the page adds it up itself. */
function balance(run) {
  const why = {rounding: "lost to rounding", minimum: "below the least payout", actor_cap: "above an actor's cap", pool_cap: "above the pool's cap", unscored: "of pools without a score"};
  const rest = Object.entries(run.residual ?? {}).filter(([, amount]) => amount !== "0");
  const whole = BigInt(run.paid_minor) + BigInt(run.held_minor ?? 0) + BigInt(run.residual_minor);
  const adds = whole === BigInt(run.pool_minor);
  return h("div", h("p", `${run.actors} actors share a pool of `, h("b", `${run.pool_minor} ${run.asset}`), " (in its smallest unit):"),
    facts([["paid", run.paid_minor], ["held back", `${run.held_minor}, for ${run.held_actors} actors`], ...rest.map(([name, amount]) => [why[name] ?? name, amount])]),
    h("p", h(adds ? "span.tag.good" : "span.tag.bad", adds ? `adds up to ${run.pool_minor}` : `adds up to ${whole}, not to ${run.pool_minor}`)));
}

function sources(run) {
  return h("details", h("summary", "What it was computed from"), facts([["policy", `${run.policy_id}, version ${run.policy_version}, rounding ${run.rounding}`],
    ["score of all", run.score_total], ...["accounting", "ledger", "policy", "root", "run_key", "commitment"].map(name => [name === "policy" ? "policy's address" : name.replace("_", " "), h("span.mono", run[name] ?? "")]),
    ["signed by", h("span.mono", (run.attestations ?? []).map(one => one.key).join(", "))]]));
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
