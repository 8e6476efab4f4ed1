// Tenants: what each of them used, its share, and each line of an invoice down to its seals.
import {ask, json} from "./api.js";
import {Hasher} from "./blake3.js";
import {spark} from "./charts.js";
import {doing, h, note, s, short, table} from "./dom.js";

const SPANS = {"the last hour": 1, "the last day": 24, "the last 30 days": 720, "all that is kept": 0};
const CHECKED_MAX = 50;

export function tenants(place) {
  const since = h("select", {id: "since", "aria-label": "Since when"},
    Object.entries(SPANS).map(([name, hours]) => h("option", {value: hours, selected: hours === 24}, name)));
  const all = h(".card", {id: "tenants"});
  const lines = h(".card", {id: "lines", hidden: true});
  const why = h(".card", {id: "why", hidden: true});
  const load = doing(async () => {
    lines.hidden = why.hidden = true;
    await show(Number(since.value), all, lines, why);
  });
  since.addEventListener("change", load);
  place.append(h("h1", "Tenants"), h(".row", since), h("p"), all, h("p"), lines, h("p"), why);
  load();
}

async function show(hours, all, lines, why) {
  const from = hours === 0 ? "" : `?since=${encodeURIComponent(new Date(Date.now() - hours * 3600000).toISOString())}`;
  const [usage, told] = await Promise.all([json(null, `/usage${from}`), json(null, "/tenants")]);
  const terms = new Map(told.tenants.map(one => [one.tenant, one]));
  const rows = byTenant(usage.usage, [...terms.keys()]);
  const requests = rows.reduce((sum, row) => sum + row.sum("requests"), 0n);
  all.replaceChildren(h("h2", `Used from ${time(usage.from)} to ${time(usage.to)}`),
    ...damaged(usage.damaged ?? []),
    table([
      {name: "tenant", of: row => h("button.mono.name", {type: "button", title: row.tenant, "data-tenant": row.tenant, onclick: () => invoice(row, lines, why)}, row.tenant)},
      {name: "share of requests", of: row => share(row.sum("requests"), requests)},
      {name: "requests", number: true, of: row => digits(row.sum("requests"))},
      {name: "bytes in", number: true, of: row => digits(row.sum("bytes_in"))},
      {name: "bytes out", number: true, of: row => digits(row.sum("bytes_out"))},
      {name: "refusals", number: true, of: row => h(row.sum("refusals") > 0n ? "span.tag.warn" : "span.soft", digits(row.sum("refusals")))},
      {name: "weight", number: true, of: row => String(terms.get(row.tenant)?.weight ?? 1)},
      {name: "limits and use now", of: row => limits(terms.get(row.tenant))},
    ], rows, "nothing was used", {stack: true}));
}

/** Each limit with its use: at doors the largest, since each door has its own; a tenant that is not listed has those of default. */
function limits(one) {
  const set = Object.entries(one?.limits ?? {});
  if (set.length === 0) return h("span.soft", "none set");
  return h("ul.limits", set.map(([limit, allowed]) => {
    const uses = one.use.filter(each => each.limit === limit);
    const most = uses.reduce((top, each) => each.used > (top?.used ?? -1) ? each : top, null);
    const full = most !== null && most.used >= allowed;
    return h("li", {"data-limit": limit}, `${limit} ${digits(BigInt(allowed))}`, most === null ? "" :
      h(full ? "span.tag.warn" : "span.soft", ` ${digits(BigInt(most.used))} at ${most.service}`));
  }));
}

function byTenant(accounts, listed) {
  const rows = new Map(listed.map(tenant => [tenant, []]));
  for (const {tenant, metric, units} of accounts) {
    if (!rows.has(tenant)) rows.set(tenant, []);
    rows.get(tenant).push({metric, units: BigInt(units)});
  }
  return [...rows].map(([tenant, lines]) => ({
    tenant, lines,
    sum: unit => lines.filter(line => line.metric.endsWith(`.${unit}`)).reduce((sum, line) => sum + line.units, 0n),
  })).sort((a, b) => a.sum("requests") === b.sum("requests") ? a.tenant.localeCompare(b.tenant)
    : a.sum("requests") < b.sum("requests") ? 1 : -1);
}

function damaged(files) {
  return files.length === 0 ? [] : [h("ul.damaged", files.map(one =>
    h("li", h("span.tag.bad", "not counted"), ` span ${one.span}, ${one.file}: ${one.why}`)))];
}

function share(part, whole) {
  const percent = whole === 0n ? 0 : Number(part * 1000n / whole) / 10;
  return h(".gauge.share", h(".bar", s("svg", {viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": `${percent} %`},
    s("rect", {width: percent, height: 6}))), h("span", `${percent} %`));
}

function invoice(row, lines, why) {
  lines.hidden = false;
  why.hidden = true;
  lines.replaceChildren(h("h2", `What ${row.tenant} used`), table([
    {name: "metric", of: line => line.metric},
    {name: "units", number: true, of: line => digits(line.units)},
    {name: "", of: line => h("button", {type: "button", "data-metric": line.metric, onclick: doing(() => explain(row.tenant, line.metric, why))}, "Why")},
  ], row.lines, "nothing was used", {stack: true}));
  lines.querySelector("button")?.focus();
}

/** Every span of a line with its seal; the accountings of the newest ones are fetched and checked here. */
async function explain(tenant, metric, why) {
  const told = await json(null, `/usage/spans?tenant=${encodeURIComponent(tenant)}&metric=${encodeURIComponent(metric)}`);
  const spans = told.spans.map(span => ({...span, units: BigInt(span.units), state: h("span.tag", stateOf(span))}));
  const sum = spans.reduce((total, span) => total + span.units, 0n);
  why.hidden = false;
  why.replaceChildren(h("h2", `Why ${digits(sum)} ${metric} for ${tenant}`),
    h("p.soft", `node ${told.node}: ${spans.length} spans that are kept, oldest first; the last one is open.`),
    spark(`${metric} by span`, spans.map(span => Number(span.units))),
    table([
      {name: "span", number: true, of: span => String(span.number)},
      {name: "from", of: span => time(span.from)},
      {name: "to", of: span => time(span.to)},
      {name: "units", number: true, of: span => digits(span.units)},
      {name: "seal", of: span => span.seal ? h("span.mono", {title: span.seal}, short(span.seal)) : h("span.soft", "not sealed yet")},
      {name: "accounting", of: span => span.state},
    ], spans, "no span is kept", {stack: true}));
  why.scrollIntoView({block: "nearest"});
  await check(tenant, metric, spans.filter(span => span.seal && !span.damaged).slice(-CHECKED_MAX));
}

const stateOf = span => span.damaged ? `damaged: ${span.damaged}` : span.seal ? "sealed" : "open";

/** The object at the address hashes to it and has the line; otherwise it says what is wrong. */
async function check(tenant, metric, spans) {
  for (const span of spans) {
    try {
      const data = new Uint8Array(await (await ask("storage", `/o/${span.accounting}`)).arrayBuffer());
      const hash = Array.from(new Hasher().update(data).digest(), byte => byte.toString(16).padStart(2, "0")).join("");
      const lines = new TextDecoder().decode(data).split("\n").filter(line => line !== "").map(line => JSON.parse(line));
      const line = lines.find(one => one.actor === tenant && one.metric === metric);
      const right = `b3:${hash}` === span.accounting && line?.units === String(span.units);
      span.state.className = right ? "tag good" : "tag bad";
      span.state.textContent = right ? "holds, checked here" : "is not what was sealed";
    } catch (failure) {
      span.state.textContent = "sealed, cannot be read here";
      if (failure.status !== 401 && failure.status !== 403 && failure.status !== 404) note(failure.message, true);
      return;
    }
  }
}

const digits = count => count.toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
const time = text => text.startsWith("-") ? "the beginning" : text.slice(0, 19).replace("T", " ");
