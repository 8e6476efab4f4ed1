// Objects by their address: upload in parts, list, and check in this browser that the bytes have their name.
import {ask, json, post} from "./api.js";
import {Hasher} from "./blake3.js";
import {bytes, doing, facts, h, note, save, short, sure, table, words} from "./dom.js";
import {preview} from "./preview.js";

const PART_BYTES = 1024 * 1024;

export function objects(place) {
  const list = h(".card", {id: "objects"});
  const repair = h(".card");
  const shown = h(".card", {id: "looked", hidden: true});
  place.append(h("h1", "Objects"), h(".two", h("div", uploading(refresh), list), h("div", shown, repair)));

  async function refresh() {
    await Promise.all([showList(list, shown, refresh), showRepair(repair)]);
  }
  refresh();
  const timer = setInterval(() => showRepair(repair), 3000);
  return () => clearInterval(timer);
}

async function showList(list, shown, refresh) {
  try {
    const page = await json("storage", "/o?limit=100");
    list.replaceChildren(h("h2", "Stored"), table([
      {name: "address", of: row => h("button.link.mono", {type: "button", title: row.address, "data-look": row.address, onclick: doing(() => look(row, shown))}, short(row.address))},
      {name: "size", number: true, of: row => bytes(row.size)},
      {name: "", of: row => h(".row",
        h("button", {type: "button", "data-verify": row.address, onclick: doing(event => verify(row, event.currentTarget))}, "Verify"),
        h("button.danger", {type: "button", onclick: doing(async () => {
          if (!await sure("Delete this object?", `${row.address} is gone for good.`, "Delete")) return;
          await ask("storage", `/o/${row.address}`, {method: "DELETE"});
          await refresh();
        })}, "Delete"))},
    ], page.objects, "nothing stored yet", {stack: true}), page.next ? h("p.soft", "More than a hundred; the first are shown.") : "");
  } catch (failure) {
    list.replaceChildren(h("h2", "Stored"), h("p.soft", failure.message));
  }
}

async function showRepair(repair) {
  try {
    const told = await json("storage", "/repair");
    repair.replaceChildren(h("h2", "Repair and scrub"), repairWords(told));
  } catch (failure) {
    repair.replaceChildren(h("h2", "Repair"), h("p.soft", failure.message));
  }
}

async function look(row, shown) {
  const path = `/o/${row.address}`;
  shown.hidden = false;
  shown.replaceChildren(h("h2", "Object"), h("p.mono", row.address), h("p.soft", "reading …"));
  shown.replaceChildren(h("h2", "Object"), h("p.mono", row.address),
    h(".row", h("button", {type: "button", onclick: doing(async () => save(await (await ask("storage", path)).blob(), `${row.address.slice(3, 15)}.bin`))}, "Download")),
    await preview(range => ask("storage", path, {headers: {Range: range}}), row.size));
}

/** Repair in sentences first, then each disk; the rest as it was told. */
function repairWords(told) {
  const {plans, last_round: round, scrub, damaged, homes = []} = told;
  const well = (damaged?.objects ?? 0) === 0 && (round?.unrepairable ?? 0) === 0;
  return h("div", h("p", h(well ? "span.tag.good" : "span.tag.bad", well ? "nothing is damaged" : `${damaged?.objects ?? 0} damaged, ${round?.unrepairable ?? 0} beyond repair`)),
    facts([["waiting for repair", plans ? `${plans.all} objects, ${bytes(plans.bytes_left)}` : null],
      ["last round", round ? `${round.objects} objects looked at, ${round.too_few_copies} with too few copies` : null],
      ["scrub", scrub ? `cycle ${scrub.cycle}: ${scrub.objects} objects, ${bytes(scrub.bytes)} read, ${scrub.bad} bad` : null]]),
    homes.map(home => h("div", h("h3.mono", home.label), facts([["serves", words(home.serves.replaceAll("-", " "))], ["holds", `${home.objects} objects, ${bytes(home.bytes)}`], ["free", bytes(home.free_bytes)]]))));
}

/** Reads the object back and hashes it here: the node is not asked whether it is right. */
async function verify(row, button) {
  const answer = await ask("storage", `/o/${row.address}`);
  const hasher = new Hasher();
  for await (const piece of answer.body) hasher.update(piece);
  const found = `b3:${hasher.hex()}`;
  button.replaceWith(found === row.address ? h("span.tag.good", "verified here") : h("span.tag.bad", `hashes to ${short(found)}`));
}

function uploading(refresh) {
  const input = h("input", {type: "file", id: "file", hidden: true, onchange: () => take(input.files[0])});
  const bar = h("progress", {max: 1, value: 0, hidden: true, "aria-label": "upload"});
  const said = h("p.soft");
  const zone = h(".drop", "Drop a file here, or ", h("button", {type: "button", onclick: () => input.click()}, "choose one"), input, bar, said);
  zone.addEventListener("dragover", event => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", event => { event.preventDefault(); zone.classList.remove("over"); take(event.dataTransfer.files[0]); });

  const take = doingFile(async file => {
    bar.hidden = false;
    const stored = file.size <= PART_BYTES ? await whole(file) : await inParts(file, share => { bar.value = share; });
    bar.hidden = true;
    said.textContent = `${file.name}: ${stored.address}, ${bytes(stored.size)}`;
    await refresh();
  });
  return h(".card", h("h2", "Upload"), zone);
}

function doingFile(work) {
  return async file => {
    try {
      if (file) await work(file);
    } catch (failure) {
      note(failure.message, true);
    }
  };
}

function whole(file) {
  return json("storage", "/o", {method: "POST", body: file, headers: {"Content-Type": "application/octet-stream"}});
}

async function inParts(file, onProgress) {
  const {upload} = await post("storage", "/o/uploads", {});
  const parts = Math.ceil(file.size / PART_BYTES);
  for (let part = 0; part < parts; part++) {
    const piece = file.slice(part * PART_BYTES, (part + 1) * PART_BYTES);
    await ask("storage", `/o/uploads/${upload}/${part}`, {method: "PUT", body: piece, headers: {"Content-Type": "application/octet-stream"}});
    onProgress((part + 1) / parts);
  }
  return post("storage", `/o/uploads/${upload}/complete`, {});
}
