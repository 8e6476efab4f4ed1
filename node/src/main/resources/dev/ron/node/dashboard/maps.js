// The packs of the edge, each drawn by the page that the edge serves for it.
import {json} from "./api.js";
import {bytes, h, short, table} from "./dom.js";

export function maps(place) {
  const list = h(".card");
  const frame = h("iframe", {title: "map", hidden: true});
  place.append(h("h1", "Maps"), list, h("p"), frame);
  const draw = name => {
    frame.src = `/edge/map/${encodeURIComponent(name)}`;
    frame.hidden = false;
  };
  json("edge", "/edge/packs").then(({packs, refused}) => {
    list.replaceChildren(h("h2", "Packs"), table([
      {name: "pack", of: row => h("button", {type: "button", "data-pack": row.pack, onclick: () => draw(row.pack)}, row.pack)},
      {name: "title", of: row => row.title},
      {name: "format", of: row => `${row.format}, ${row.tiles}, zoom ${row.zoom_min} to ${row.zoom_max}`},
      {name: "size", number: true, of: row => bytes(row.bytes)},
      {name: "address", of: row => h("span.mono", {title: row.address}, short(row.address))},
    ], packs, "no pack is mounted; put a .pmtiles or .mbtiles file into a folder of edge.packs", {stack: true}),
    refused.map(row => h("p", h("span.tag.bad", row.code), ` ${row.file}: ${row.detail}`)));
    if (packs.length > 0) draw(packs[0].pack);
  }).catch(failure => list.replaceChildren(h("h2", "Packs"), h("p.soft", failure.message)));
}
