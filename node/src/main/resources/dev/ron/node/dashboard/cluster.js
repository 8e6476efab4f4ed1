// The machines of the node's cluster: which are there, what they lead, how far they are, and the copies that are short.
import {json} from "./api.js";
import {facts, h, table} from "./dom.js";

const PERIOD = 2000;
const DAY = 86_400_000;
const ENDS_SOON_DAYS = 30;

export function cluster(place) {
  let over = false;
  const summary = h(".card");
  const machines = h("div", {id: "machines"});
  const copies = h("div", {id: "copies"});
  place.append(h("h1", "Cluster"), summary, h(".card", h("h2", "Machines"), machines), h(".card", h("h2", "Copies"), copies));

  const turn = async () => {
    if (over) return;
    if (!document.hidden) {
      try {
        draw(await json(null, "/cluster"));
      } catch (failure) {
        summary.replaceChildren(h("p.soft", failure.message));
      }
      try {
        drawCopies(await json("storage", "/repair"));
      } catch (failure) {
        copies.replaceChildren(h("p.soft", failure.message));
      }
    }
    setTimeout(turn, PERIOD);
  };

  function draw(told) {
    if (told.machines.length === 0) {
      summary.replaceChildren(h("p", "This node is alone."), h("p.soft", "One node becomes three with ", h("code", "ron cluster init"), ", ",
        h("code", "ron cluster invite"), " and ", h("code", "ron up --join"), " on the others; ", h("code", "ron up --machines 3"), " shows it on one machine."));
      machines.replaceChildren(h("p.soft", "none besides this one"));
      return;
    }
    summary.replaceChildren(facts([
      ["cluster", `${told.cluster}, ${told.phase}`],
      ["as seen by", told.node],
      ["authority on", told.founder],
      ["list of machines", `version ${told.version}`],
      ["let go", told.revoked.map(name => name.replace(/^name=/, "")).join(", ") || "none"],
    ]));
    machines.replaceChildren(table([
      {name: "machine", of: one => h("b", one.name)},
      {name: "address", of: one => h("span.mono.nowrap", one.address)},
      {name: "state", of: one => one.runs === "" ? h("span.tag.bad", "away") : one.ready ? h("span.tag.good", "ready") : h("span.tag.warn", "not ready")},
      {name: "runs", of: one => one.drains ? [one.runs, " ", h("span.tag.warn", "drains")] : one.runs},
      {name: "leads", of: one => one.leads.join(", ") || "–"},
      {name: "entries behind", number: true, of: one => one.runs === "" ? "" : String(one.lag)},
      {name: "list", of: one => one.runs === "" ? "" : one.list_version === told.version ? "same" : h("span.tag.warn", "older")},
      {name: "certificate until", of: one => until(one.certificate_until)},
      {name: "version", of: one => one.build},
      {name: "trouble", of: one => one.trouble},
    ], told.machines, "none", {stack: true}));
  }

  function drawCopies(told) {
    const others = told.cluster;
    copies.replaceChildren(facts([
      ["short of copies", others ? String(others.missing) : String(told.last_round.too_few_copies)],
      ["urgent", others ? String(others.urgent) : "0"],
      ["repairs waiting", String(told.plans.all)],
      ["damaged here", String(told.damaged.objects)],
      ["objects here", String(told.last_round.objects)],
    ]));
  }

  turn();
  return () => { over = true; };
}

function until(time) {
  if (!time) return "";
  const days = Math.floor((new Date(time) - Date.now()) / DAY);
  return h("time.nowrap", {datetime: time, title: time}, days < ENDS_SOON_DAYS ? h("span.tag.warn", `${days} days`) : `${days} days`);
}
