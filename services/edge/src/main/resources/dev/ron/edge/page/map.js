"use strict";
(() => {
  const root = document.documentElement;
  const pack = root.dataset.pack;
  const gl = window.maplibregl || window.mapboxgl;
  const asked = new URLSearchParams(location.search);
  const capability = asked.get("cap");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const at = (selector) => document.querySelector(selector);
  let theme = asked.get("theme") || (dark.matches ? "dark" : "light");

  // Everything comes from where this page came from, with the capability the page was opened with.
  const own = (url) => {
    const target = new URL(url, location.href);
    target.protocol = location.protocol;
    target.host = location.host;
    if (capability && target.pathname.startsWith("/edge/")) target.searchParams.set("cap", capability);
    return target.href;
  };
  const failed = (what) => {
    root.dataset.state = "failed";
    console.error(what);
    at("#title p").textContent = String(what);
  };
  const get = (path) => fetch(own(path)).then((answer) => {
    if (!answer.ok) throw new Error(path + ": " + answer.status);
    return answer.json();
  });
  const style = () => get("/edge/map/" + pack + "/style.json?theme=" + theme);

  const swatch = (entry) => {
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", "0 0 22 14");
    const shape = (name, attributes) => {
      const element = document.createElementNS(ns, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      svg.append(element);
    };
    if (entry.kind === "line") {
      if (entry.edge) shape("path", {d: "M1 7h20", stroke: entry.edge, "stroke-width": 5, "stroke-linecap": "round"});
      shape("path", {d: "M1 7h20", stroke: entry.color, "stroke-width": 3, "stroke-dasharray": entry.dash || "none"});
    } else if (entry.kind === "circle") {
      shape("circle", {cx: 11, cy: 7, r: 4.5, fill: entry.color, stroke: entry.edge || "none", "stroke-width": 2});
    } else if (entry.kind === "peak") {
      shape("path", {d: "M11 2l5.5 10h-11z", fill: entry.color});
    } else {
      shape("rect", {x: 1, y: 1, width: 20, height: 12, rx: 3, fill: entry.color, stroke: entry.edge || "none"});
    }
    return svg;
  };
  const legend = (entries) => {
    const list = at("#legend ul");
    list.replaceChildren(...entries.map((entry) => {
      const item = document.createElement("li");
      item.append(swatch(entry), document.createTextNode(entry.label));
      return item;
    }));
    at("#legend").hidden = entries.length === 0;
  };
  const dress = (drawn) => {
    root.dataset.theme = theme;
    legend((drawn.metadata && drawn.metadata.legend) || []);
  };

  // Pictures are drawn here, so that there is no sprite to fetch.
  const peak = (map) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 24;
    const pen = canvas.getContext("2d");
    pen.beginPath();
    pen.moveTo(12, 3);
    pen.lineTo(22, 21);
    pen.lineTo(2, 21);
    pen.closePath();
    pen.fillStyle = theme === "dark" ? "#d8c9b4" : "#6b5540";
    pen.fill();
    map.addImage("peak", pen.getImageData(0, 0, 24, 24), {pixelRatio: 2});
  };

  const show = (features) => {
    const panel = at("#feature");
    const feature = features.find((f) => f.properties.name) || features.find((f) => Object.keys(f.properties).length);
    panel.hidden = !feature;
    if (!feature) return;
    const head = document.createElement("h2");
    head.textContent = feature.properties.name || feature.sourceLayer;
    const list = document.createElement("dl");
    const row = (name, value) => {
      const term = document.createElement("dt");
      const said = document.createElement("dd");
      term.textContent = name;
      said.textContent = typeof value === "number" ? value.toLocaleString() : String(value);
      list.append(term, said);
    };
    row("layer", feature.sourceLayer);
    for (const key of Object.keys(feature.properties).sort()) {
      if (key !== "name") row(key, feature.properties[key]);
    }
    panel.replaceChildren(head, list);
  };

  const start = (about, drawn) => {
    document.title = about.name;
    at("#title h1").textContent = about.name;
    at("#title p").textContent = about.description || "";
    at("#attribution").textContent = about.attribution || "";
    dress(drawn);
    const [west, south, east, north] = about.bounds;
    const whole = east - west > 300;
    const map = new gl.Map({
      container: "map",
      style: drawn,
      hash: true,
      attributionControl: false,
      renderWorldCopies: whole,
      maxZoom: Math.min(22, about.maxzoom + 4),
      bounds: [[west, Math.max(south, -80)], [east, Math.min(north, 80)]],
      fitBoundsOptions: {padding: innerWidth < 560 ? 8 : 24, maxZoom: about.maxzoom},
      transformRequest: (url) => ({url: own(url)}),
    });
    map.addControl(new gl.NavigationControl({visualizePitch: true}), "top-right");
    map.addControl(new gl.ScaleControl({maxWidth: 110}), "bottom-right");
    map.on("styleimagemissing", (event) => { if (event.id === "peak") peak(map); });
    map.on("error", (event) => failed(event.error ? event.error.message : "the map cannot be drawn"));
    map.on("idle", () => { if (root.dataset.state !== "failed") root.dataset.state = "drawn"; });
    const look = (event) => show(map.queryRenderedFeatures(event.point));
    map.on("mousemove", look);
    map.on("click", look);
    map.on("mouseout", () => show([]));
    at("#theme").addEventListener("click", () => {
      theme = theme === "dark" ? "light" : "dark";
      style().then((fresh) => { dress(fresh); map.setStyle(fresh, {diff: false}); }).catch(failed);
    });
  };

  if (innerWidth < 560 || innerHeight < 480) at("#legend").open = false;
  root.dataset.theme = theme;
  const worker = new URL("/edge/page/gl-worker.js", location.href).href;
  if (gl.setWorkerUrl) gl.setWorkerUrl(worker); else gl.workerUrl = worker;
  Promise.all([get("/edge/assets/" + pack + ".json"), style()])
    .then(([about, drawn]) => start(about, drawn))
    .catch(failed);
})();
