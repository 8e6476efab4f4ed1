// One object of a bucket: a preview, what is known of it, its versions and what locks them.
import {signed} from "./api.js";
import {bytes, doing, facts, h, note, save, sure, table} from "./dom.js";
import {preview} from "./preview.js";
import {parsed, pathOf, some, word} from "./s3.js";

/** A download goes through this page's memory. */
const DOWNLOAD_MAX = 512 * 1024 * 1024;

export async function showObject(place, bucket, key, changed) {
  const path = pathOf(bucket, key);
  const head = (await signed("s3", path, {method: "HEAD"})).headers;
  const size = Number(head.get("Content-Length") ?? 0);
  const picture = h(".preview", h("p.soft", "…"));
  place.hidden = false;
  place.replaceChildren(h("header", h("h2.mono", key)),
    h(".row", h("button", {type: "button", onclick: doing(() => download(path, key, size, bucket))}, "Download"),
      h("button.danger", {type: "button", id: "remove", onclick: doing(async () => {
        if (!await sure(`Delete ${key}?`, head.get("x-amz-version-id") ? "Its versions stay; a delete marker hides them." : "It is gone for good.", "Delete")) return;
        await signed("s3", path, {method: "DELETE"});
        note(`deleted ${key}`);
        await changed();
      })}, "Delete")),
    picture, facts(known(head, size)), await versions(bucket, key, () => showObject(place, bucket, key, changed)));
  picture.replaceChildren(await preview(range => signed("s3", path, {headers: {Range: range}}), size));
}

function known(head, size) {
  const own = [...head].filter(([name]) => name.startsWith("x-amz-meta-")).map(([name, value]) => [name.slice(11), value]);
  return [["size", bytes(size)], ["type", head.get("Ron-Stored-Type")], ["changed", new Date(head.get("Last-Modified")).toLocaleString()], ["ETag", head.get("ETag")],
    ["version", head.get("x-amz-version-id")], ["locked", lock(head)], ["legal hold", head.get("x-amz-object-lock-legal-hold")], ...own];
}

function lock(head) {
  const mode = head.get("x-amz-object-lock-mode");
  return mode ? `${mode.toLowerCase()}, until ${new Date(head.get("x-amz-object-lock-retain-until-date")).toLocaleString()}` : null;
}

async function versions(bucket, key, again) {
  const listed = await parsed("s3", `/${bucket}?versions&prefix=${encodeURIComponent(key)}&max-keys=100`);
  const all = [...some(listed, "Version"), ...some(listed, "DeleteMarker")].filter(one => word(one, "Key") === key)
    .map(one => ({id: word(one, "VersionId"), gone: one.tagName === "DeleteMarker", newest: word(one, "IsLatest") === "true", at: word(one, "LastModified"), size: Number(word(one, "Size"))}))
    .sort((a, b) => b.at.localeCompare(a.at));
  if (all.length === 1 && all[0].id === "null") return "";
  const path = pathOf(bucket, key);
  return h("div", h("h3", "Versions"), table([
    {name: "version", of: row => h("span.mono", row.id, " ", row.newest ? h("span.tag.good", "newest") : "", row.gone ? h("span.tag.warn", "delete marker") : "")},
    {name: "changed", of: row => h("time.soft", {datetime: row.at}, new Date(row.at).toLocaleString())},
    {name: "size", number: true, of: row => row.gone ? "" : bytes(row.size)},
    {name: "", of: row => h(".row", row.gone ? "" : h("button", {type: "button", onclick: doing(() => download(`${path}?versionId=${encodeURIComponent(row.id)}`, key, row.size, bucket))}, "Download"),
      h("button.danger", {type: "button", onclick: doing(async () => {
        if (!await sure("Delete this version?", "It is gone for good, unless a lock keeps it.", "Delete")) return;
        await signed("s3", `${path}?versionId=${encodeURIComponent(row.id)}`, {method: "DELETE"});
        await again().catch(failure => note(failure.message, failure.status !== 404));
      })}, "Delete"))},
  ], all, "", {stack: true}));
}

async function download(path, key, size, bucket) {
  if (size > DOWNLOAD_MAX) {
    note(`${bytes(size)} is more than a page should hold: ron s3 cp s3://${bucket}/${key} .`, true);
    return;
  }
  save(await (await signed("s3", path)).blob(), key.split("/").pop());
}
