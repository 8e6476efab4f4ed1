// Objects by their address: upload in parts, list, and check in this browser that the bytes have their name.
import {ask, json, post} from "./api.js";
import {Hasher} from "./blake3.js";
import {bytes, doing, h, note, short, table} from "./dom.js";

const PART_BYTES = 1024 * 1024;

export function objects(place) {
  const list = h(".card", {id: "objects"});
  const repair = h(".card");
  place.append(h("h1", "Objects"), h(".two", h("div", uploading(refresh), list), repair));

  async function refresh() {
    await Promise.all([showList(list, refresh), showRepair(repair)]);
  }
  refresh();
  const timer = setInterval(() => showRepair(repair), 3000);
  return () => clearInterval(timer);
}

async function showList(list, refresh) {
  try {
    const page = await json("storage", "/o?limit=100");
    list.replaceChildren(h("h2", "Stored"), table([
      {name: "address", of: row => h("a.mono", {href: `/api/storage/o/${row.address}`, title: row.address, download: `${row.address.slice(3, 15)}.bin`}, short(row.address))},
      {name: "size", number: true, of: row => bytes(row.size)},
      {name: "", of: row => h(".row",
        h("button", {type: "button", "data-verify": row.address, onclick: doing(event => verify(row, event.currentTarget))}, "Verify"),
        h("button.danger", {type: "button", onclick: doing(async () => {
          await ask("storage", `/o/${row.address}`, {method: "DELETE"});
          await refresh();
        })}, "Delete"))},
    ], page.objects, "nothing stored yet"), page.next ? h("p.soft", "More than a hundred; the first are shown.") : "");
  } catch (failure) {
    list.replaceChildren(h("h2", "Stored"), h("p.soft", failure.message));
  }
}

async function showRepair(repair) {
  try {
    const told = await json("storage", "/repair");
    repair.replaceChildren(h("h2", "Repair"), h("pre", JSON.stringify(told, null, 2)));
  } catch (failure) {
    repair.replaceChildren(h("h2", "Repair"), h("p.soft", failure.message));
  }
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
