// How the node does, in the words that operators use: rates, p50, p99 and errors, over time, by service and by tenant.
import {chart, COLOURS, spark} from "./charts.js";
import {h, seconds, table} from "./dom.js";
import {follow, of, past} from "./history.js";
import {state, watch} from "./live.js";

const SPANS = [["5 min", 300000], ["15 min", 900000], ["1 h", 3600000]];
let span = SPANS[0][1];

/** Doors before others: what they answer, a service behind them has answered and counted too. */
const FRONT = new Set(["gateway", "admin"]);

/** What the gateway calls the holders of capabilities that name no tenant. */
const OPERATOR = "operator";

const few = value => value === null || value === undefined ? "–" : value === 0 ? "0" : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString();

export function overview(place) {
  const tiles = h(".tiles");
  const charts = {
    requests: chart("Requests per second", few), p99: chart("Latency p99", seconds),
    p50: chart("Latency p50", seconds), failed: chart("Errors and refusals per second", few),
  };
  const services = h(".card", {id: "services"});
  const tenants = h(".card", {id: "tenants", hidden: true});
  const spans = h(".spans", {role: "group", "aria-label": "Time span"}, SPANS.map(([name, length]) =>
    h("button", {type: "button", "aria-pressed": String(length === span), onclick: event => {
      span = length;
      for (const button of spans.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      draw(past.rows);
    }}, name)));
  place.append(h(".head", h("h1", "Overview"), spans), tiles, services, h(".plots", Object.values(charts)), tenants);

  function draw(rows) {
    const end = rows.at(-1)?.at ?? 0;
    const shown = rows.filter(row => row.at > end - span);
    const names = state.services.length > 0 ? state.services.map(one => one.name) : Object.keys(rows.at(-1)?.services ?? {});
    const lines = what => names.map((name, index) => ({name, colour: index % COLOURS, of: of("services", name, what)}));
    charts.requests.update(shown, lines("requests"), span);
    charts.p99.update(shown, lines("p99"), span);
    charts.p50.update(shown, lines("p50"), span);
    charts.failed.update(shown, troubles(names), span);
    showTenants(tenants, shown);
  }
  const stop = watch(now => {
    tiles.replaceChildren(...tilesOf(now.services));
    services.replaceChildren(h("h2", "Services"), serviceTable(now.services));
  });
  const unfollow = follow(draw);
  return () => { stop(); unfollow(); };
}

/** One line for all services, since any error or refusal is worth a look; the gateway's are a line of their own. */
function troubles(names) {
  const behind = names.filter(name => !FRONT.has(name));
  const total = what => row => behind.reduce((sum, name) => sum + (of("services", name, what)(row) ?? 0), 0);
  const lines = [{name: "errors", colour: "bad", of: total("failed")}, {name: "refused", colour: "warn", of: total("refused")}];
  if (!names.includes("gateway")) return lines;
  return [...lines, {name: "errors at the gateway", colour: 0, of: of("services", "gateway", "failed")},
    {name: "refused at the gateway", colour: 1, of: of("services", "gateway", "refused")}];
}

/**
 * A rate of the services together, and beside it the gateway's. They are not added: a request that the gateway passes
 * on is counted at both.
 */
export function rates(services, what) {
  const sum = rows => {
    const figures = rows.map(one => one.figures).filter(one => one);
    // Before the second reading there is no rate, which is not a rate of nothing.
    return figures.length === 0 ? null : figures.reduce((total, one) => total + one[what], 0);
  };
  return {services: sum(services.filter(one => !FRONT.has(one.name))), gateway: sum(services.filter(one => one.name === "gateway"))};
}

function tilesOf(services) {
  const figures = services.map(one => one.figures).filter(one => one);
  const both = (what, name, mood) => {
    const {services: behind, gateway} = rates(services, what);
    const told = services.some(one => one.name === "gateway") ? `${name}, gateway ${few(gateway)}` : name;
    return tile(few(behind), told, behind > 0 || gateway > 0 ? mood : "");
  };
  const worst = figures.reduce((most, one) => Math.max(most, one.p99 ?? 0), 0);
  const restarts = services.reduce((total, one) => total + restartsOf(one), 0);
  return [
    both("perSecond", "requests/s", ""),
    tile(worst === 0 ? "–" : seconds(worst), "slowest p99, 30 s", worst > 1 ? "warn" : ""),
    both("failedPerSecond", "errors/s", "bad"),
    both("refusedPerSecond", "refused/s", "warn"),
    tile(services.length === 0 ? "–" : String(restarts), "task restarts", restarts > 0 ? "warn" : ""),
  ];
}

const tile = (value, name, mood) => h(mood ? `.tile.${mood}` : ".tile", h("b", value), h("span", name));
const restartsOf = service => service.tasks.reduce((total, task) => total + task.restarts, 0);
const lostOf = service => service.channels.reduce((total, channel) => total + channel.dropped + channel.rejected, 0);
const warned = count => count > 0 ? h("span.tag.warn", count.toLocaleString()) : "0";

function serviceTable(services) {
  return table([
    {name: "service", of: row => h("b", row.name)},
    {name: "state", of: row => row.ready.ok ? h("span.tag.good", "ready") : h("span", h("span.tag.bad", "not ready"), " ", h("span.soft", row.ready.why))},
    {name: "requests/s", number: true, of: row => few(row.figures?.perSecond)},
    {name: "p50", number: true, of: row => seconds(row.figures?.p50 ?? null)},
    {name: "p99", number: true, of: row => seconds(row.figures?.p99 ?? null)},
    {name: "errors/s", number: true, of: row => row.figures?.failedPerSecond > 0 ? h("span.tag.bad", few(row.figures.failedPerSecond)) : "0"},
    {name: "restarts", number: true, of: row => warned(restartsOf(row))},
    {name: "dropped or refused", number: true, of: row => warned(lostOf(row))},
    {name: "requests, 90 s", of: row => spark(`requests a second of ${row.name}`, (state.history.get(row.name) ?? []).map(one => one.perSecond))},
    {name: "address", of: row => h("span.mono.soft", row.url)},
  ], services, "connecting", {stack: true, mark: row => ({"data-service": row.name})});
}

function showTenants(place, rows) {
  const now = rows.at(-1)?.tenants ?? {};
  const names = [...new Set(rows.flatMap(row => Object.keys(row.tenants)))];
  place.hidden = names.length === 0;
  const waiting = state.services.find(one => one.name === "gateway")?.figures?.tenants ?? [];
  place.replaceChildren(h("h2", "Tenants at the gateway"), table([
    {name: "tenant", of: name => h("b", name === OPERATOR ? "without a tenant" : name)},
    {name: "requests/s", number: true, of: name => few(now[name]?.[0])},
    {name: "p50", number: true, of: name => seconds(now[name]?.[3] ?? null)},
    {name: "p99", number: true, of: name => seconds(now[name]?.[4] ?? null)},
    {name: "waiting", number: true, of: name => String(waiting.find(one => one.tenant === name)?.waiting ?? 0)},
    {name: "requests over time", of: name => spark(`requests a second of ${name}`, rows.map(of("tenants", name, "requests")))},
    {name: "p99 over time", of: name => spark(`p99 of ${name}`, rows.map(of("tenants", name, "p99")))},
  ], names, "", {stack: true}));
}
