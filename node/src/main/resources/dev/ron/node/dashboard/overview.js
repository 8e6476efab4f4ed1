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
      figure(figures ? figures.perSecond.toFixed(figures.perSecond < 10 ? 1 : 0) : "–", "requests a second"),
      figure(seconds(figures?.p50 ?? null), "half within"),
      figure(seconds(figures?.p99 ?? null), "99 % within")),
    spark(state.history.get(service.name) ?? []),
    h(".row", tag(restarts, "restarts"), tag(dropped, "dropped or refused"),
      tag(figures ? Math.round(figures.failedPerSecond) : 0, "failures a second")));
}

const figure = (value, name) => h(".figure", h("b", value), h("span", name));
const tag = (count, name) => h(count > 0 ? "span.tag.warn" : "span.tag", `${count} ${name}`);

/** Requests a second over the last readings. */
function spark(past) {
  const top = Math.max(1, ...past.map(one => one.perSecond));
  const at = (one, index) => `${(index / Math.max(1, past.length - 1) * 100).toFixed(2)},${(40 - one.perSecond / top * 36).toFixed(2)}`;
  const line = past.map(at).join(" L");
  const picture = s("svg", {viewBox: "0 0 100 42", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": `requests a second, at most ${top.toFixed(0)}`});
  if (past.length > 1) picture.append(s("path", {class: "area", d: `M0,42 L${line} L100,42 Z`}), s("path", {d: `M${line}`}));
  return picture;
}

function tenantTable(all) {
  return table([
    {name: "tenant", of: row => row.tenant},
    {name: "waiting", number: true, of: row => String(row.waiting)},
    {name: "half within", number: true, of: row => seconds(row.p50)},
    {name: "99 % within", number: true, of: row => seconds(row.p99)},
  ], all);
}
