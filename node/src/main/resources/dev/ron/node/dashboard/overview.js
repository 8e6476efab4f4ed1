// How each service does, now and in the last minute and a half.
import {h, s, seconds, table} from "./dom.js";
import {state, watch} from "./live.js";

export function overview(place) {
  const cards = h(".grid");
  const tenants = h(".card", {hidden: true});
  place.append(h("h1", "Overview"), cards, h("p"), tenants);
  return watch(now => {
    cards.replaceChildren(...now.services.map(card));
    const all = now.services.find(one => one.name === "gateway")?.figures?.tenants ?? [];
    tenants.hidden = all.length === 0;
    tenants.replaceChildren(h("h2", "Tenants at the gateway"), tenantTable(all));
  });
}

function card(service) {
  const figures = service.figures;
  const restarts = service.tasks.reduce((total, task) => total + task.restarts, 0);
  const dropped = service.channels.reduce((total, channel) => total + channel.dropped + channel.rejected, 0);
  return h(".card", {"data-service": service.name},
    h("header", h("h2", service.name),
      service.ready.ok ? h("span.tag.good", "ready") : h("span.tag.bad", "not ready"),
      h("a.soft", {href: `/api/${service.name}/openapi.json`, target: "_blank", rel: "noopener"}, "api")),
    h(".soft.mono", service.url),
    service.ready.ok ? null : h("p.soft", service.ready.why),
    h(".figures",
      figure(figures ? few(figures.perSecond) : "–", "requests/s"),
      figure(seconds(figures?.p50 ?? null), "p50, 30 s"),
      figure(seconds(figures?.p99 ?? null), "p99, 30 s")),
    curves(state.history.get(service.name) ?? []),
    h(".row", tag(restarts, "restarts"), tag(dropped, "dropped or refused"),
      tag(figures ? few(figures.failedPerSecond) : "0", "errors/s")));
}

const few = value => value === 0 ? "0" : value.toFixed(value < 10 ? 1 : 0);

const figure = (value, name) => h(".figure", h("b", value), h("span", name));
const tag = (count, name) => h(Number(count) > 0 ? "span.tag.warn" : "span.tag", `${count} ${name}`);

/** Requests and, on the same scale, errors a second; below them the p99. */
function curves(past) {
  const most = Math.max(1, ...past.map(one => one.perSecond));
  const slowest = Math.max(0.001, ...past.map(one => one.p99));
  return h("div",
    spark(`requests a second, at most ${most.toFixed(0)}, and errors`,
      [{past, top: most, of: one => one.perSecond, kind: "area"}, {past, top: most, of: one => one.failedPerSecond, kind: "errors"}]),
    h(".soft", `p99, up to ${seconds(slowest)} in ${past.length} s`),
    spark(`p99, at most ${seconds(slowest)}`, [{past, top: slowest, of: one => one.p99, kind: ""}]));
}

function spark(label, lines) {
  const picture = s("svg", {viewBox: "0 0 100 42", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label});
  for (const {past, top, of, kind} of lines.filter(drawn)) {
    const at = (one, index) => `${(index / (past.length - 1) * 100).toFixed(2)},${(40 - of(one) / top * 36).toFixed(2)}`;
    const line = past.map(at).join(" L");
    if (kind === "area") picture.append(s("path", {class: "area", d: `M0,42 L${line} L100,42 Z`}));
    picture.append(s("path", {class: kind === "errors" ? "errors" : "", d: `M${line}`}));
  }
  return picture;
}

/** A service without errors has no line of them. */
const drawn = ({past, of, kind}) => past.length > 1 && (kind !== "errors" || past.some(one => of(one) > 0));

function tenantTable(all) {
  return table([
    {name: "tenant", of: row => row.tenant},
    {name: "waiting", number: true, of: row => String(row.waiting)},
    {name: "p50", number: true, of: row => seconds(row.p50)},
    {name: "p99", number: true, of: row => seconds(row.p99)},
  ], all);
}
