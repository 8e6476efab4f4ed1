// What the node tells about itself, read once a second while the page is looked at.
import {ask, json} from "./api.js";
import {parse, quantile, rate} from "./metrics.js";

const PERIOD_MS = 1000;
const KEPT = 90;
/** Quantiles are over so many readings: one second rarely has enough requests to tell. */
const WINDOW = 30;

/** The last reading: services with tasks, channels, readiness and figures; and those before it, for the curves. */
export const state = {services: [], history: new Map(), failed: null};

const watchers = new Set();
const readings = new Map();

export function watch(onChange) {
  watchers.add(onChange);
  onChange(state);
  return () => watchers.delete(onChange);
}

export function start() {
  const turn = async () => {
    if (!document.hidden) await read();
    setTimeout(turn, PERIOD_MS);
  };
  turn();
}

async function read() {
  try {
    const registry = await json(null, "/registry");
    const named = registry.services.filter(one => one.url);
    const all = parse(await (await ask(null, "/metrics")).text());
    state.services = named.map(service => look(service, all));
    state.failed = null;
  } catch (failure) {
    state.failed = failure.message;
  }
  for (const watcher of watchers) watcher(state);
}

function look(service, all) {
  const ready = {ok: service.ready, why: service.missing};
  return {...service, name: service.service, ready, figures: measure(service.service, own(all, service.service))};
}

/** What the node's metrics say of one service. */
function own(all, service) {
  const series = new Map();
  for (const [name, samples] of all) series.set(name, samples.filter(one => one.labels.service === service));
  return series;
}

function measure(service, series) {
  const now = {at: performance.now(), series};
  const past = readings.get(service) ?? [];
  readings.set(service, [...past, now].slice(-WINDOW));
  if (past.length === 0) return null;
  const before = past.at(-1);
  const earlier = past[0].series;
  const elapsed = (now.at - before.at) / 1000;
  // What this page asks for is not the service's work.
  const real = labels => !["/metrics", "/readyz"].includes(labels.route) && !["metrics", "readyz"].includes(labels.op);
  const figures = {
    perSecond: rate(before.series, now.series, elapsed, "http_requests_total", real),
    failedPerSecond: rate(before.series, now.series, elapsed, "http_requests_total", labels => real(labels) && labels.status >= "500"),
    refusedPerSecond: rate(before.series, now.series, elapsed, "rejected_total"),
    p50: quantile(earlier, now.series, "request_latency_seconds", 0.5, real),
    p99: quantile(earlier, now.series, "request_latency_seconds", 0.99, real),
    tenants: tenants(earlier, now.series),
    series: now.series,
  };
  remember(service, figures);
  return figures;
}

function tenants(before, after) {
  const name = "gateway_tenant_latency_seconds";
  const names = new Set((after.get(`${name}_count`) ?? []).map(one => one.labels.tenant));
  return [...names].map(tenant => ({
    tenant,
    p50: quantile(before, after, name, 0.5, labels => labels.tenant === tenant),
    p99: quantile(before, after, name, 0.99, labels => labels.tenant === tenant),
    waiting: (after.get("gateway_drr_queue_depth") ?? []).find(one => one.labels.tenant === tenant)?.value ?? 0,
  }));
}

function remember(service, figures) {
  const past = state.history.get(service) ?? [];
  past.push({perSecond: figures.perSecond});
  state.history.set(service, past.slice(-KEPT));
}
