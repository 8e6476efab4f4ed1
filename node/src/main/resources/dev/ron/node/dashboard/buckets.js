// Buckets of the S3 door: browse, preview, upload by dropping, versions and locks.
import {signed} from "./api.js";
import {bytes, doing, h, note, sure, table} from "./dom.js";
import {showObject} from "./bucketobject.js";
import {parsed, pathOf, some, word} from "./s3.js";
import {upload} from "./uploads.js";

const PAGE = 200;

export function buckets(place) {
  const list = h(".card", {id: "buckets"});
  const files = h(".card", {id: "files"}, h("p.soft", "Choose a bucket."));
  const shown = h(".card", {id: "object", hidden: true});
  const at = {bucket: null, prefix: "", after: "", open: () => {}};
  place.append(h("h1", "Buckets"), h(".two.wide", h("div", list, creating(name => refresh().then(() => enter(name, "")))), h("div", files, shown)));

  async function refresh() {
    try {
      const all = some(await parsed("s3", ""), "Bucket").map(one => ({name: word(one, "Name"), made: word(one, "CreationDate")}));
      list.replaceChildren(h("h2", "Buckets"), table([
        {name: "name", of: row => h("button.link", {type: "button", "data-bucket": row.name, "aria-pressed": String(row.name === at.bucket), onclick: doing(() => enter(row.name, ""))}, row.name)},
        {name: "made", of: row => h("time.soft", {datetime: row.made}, new Date(row.made).toLocaleDateString())},
      ], all, "no bucket yet"));
    } catch (failure) {
      list.replaceChildren(h("h2", "Buckets"), h("p.soft", failure.message));
    }
  }
  async function enter(bucket, prefix, after = "") {
    Object.assign(at, {bucket, prefix, after});
    shown.hidden = true;
    await Promise.all([refresh(), showFiles(files, at, enter, open)]);
  }
  const open = async key => {
    await showObject(shown, at.bucket, key, () => enter(at.bucket, at.prefix));
    shown.scrollIntoView({block: "nearest"});
  };
  refresh();
}

async function showFiles(place, at, enter, open) {
  const query = `?list-type=2&delimiter=%2F&max-keys=${PAGE}&encoding-type=url&prefix=${encodeURIComponent(at.prefix)}${at.after ? `&continuation-token=${encodeURIComponent(at.after)}` : ""}`;
  const [page, versioning] = await Promise.all([parsed("s3", `/${at.bucket}${query}`), parsed("s3", `/${at.bucket}?versioning`)]);
  const plain = text => decodeURIComponent(text.replaceAll("+", "%20"));
  const folders = some(page, "CommonPrefixes").map(one => ({folder: plain(word(one, "Prefix"))}));
  const objects = some(page, "Contents").map(one => ({key: plain(word(one, "Key")), size: Number(word(one, "Size")), at: word(one, "LastModified")}));
  const next = word(page, "NextContinuationToken");
  place.replaceChildren(h("header", crumbs(at, enter), h("span.tag", word(versioning, "Status") === "Enabled" ? "versioned" : "not versioned")),
    dropZone(at, () => enter(at.bucket, at.prefix)),
    table([
      {name: "name", of: row => row.folder
        ? h("button.link", {type: "button", "data-folder": row.folder, onclick: doing(() => enter(at.bucket, row.folder))}, `${row.folder.slice(at.prefix.length)}`)
        : h("button.link.mono", {type: "button", "data-key": row.key, onclick: doing(() => open(row.key))}, row.key.slice(at.prefix.length) || row.key)},
      {name: "size", number: true, of: row => row.folder ? "" : bytes(row.size)},
      {name: "changed", number: true, of: row => row.folder ? "" : h("time.soft", {datetime: row.at}, new Date(row.at).toLocaleString())},
    ], [...folders, ...objects], "nothing here yet; drop files above", {stack: true}),
    h(".row", at.after ? h("button", {type: "button", onclick: doing(() => enter(at.bucket, at.prefix))}, "First page") : "",
      next ? h("button", {type: "button", onclick: doing(() => enter(at.bucket, at.prefix, next))}, "Next page") : "",
      h("button.danger", {type: "button", onclick: doing(() => removeBucket(at.bucket, place))}, "Delete bucket")));
}

function crumbs(at, enter) {
  const parts = at.prefix.split("/").filter(part => part);
  const step = (name, prefix) => h("button.link", {type: "button", onclick: doing(() => enter(at.bucket, prefix))}, name);
  return h("nav.crumbs", {"aria-label": "Folder"}, step(at.bucket, ""),
    parts.map((part, index) => [" / ", step(part, `${parts.slice(0, index + 1).join("/")}/`)]));
}

async function removeBucket(bucket, place) {
  if (!await sure(`Delete the bucket ${bucket}?`, "It must be empty.", "Delete")) return;
  await signed("s3", `/${bucket}`, {method: "DELETE"});
  place.replaceChildren(h("p.soft", `${bucket} is gone.`));
}

function dropZone(at, done) {
  const input = h("input", {type: "file", multiple: true, hidden: true, id: "upload", onchange: () => take([...input.files])});
  const said = h("span.soft", {role: "status"});
  const bar = h("progress", {max: 1, value: 0, hidden: true, "aria-label": "upload"});
  const zone = h(".drop.small", "Drop files here, or ", h("button", {type: "button", onclick: () => input.click()}, "choose some"), " ", said, input, bar);
  const take = async files => {
    try {
      bar.hidden = false;
      for (const [index, file] of files.entries()) {
        said.textContent = `${file.name}, ${index + 1} of ${files.length}`;
        await upload(at.bucket, at.prefix + file.name, file, share => { bar.value = share; });
      }
      note(files.length === 1 ? `stored ${files[0].name}` : `stored ${files.length} files`);
      await done();
    } catch (failure) {
      note(failure.message, true);
    } finally {
      bar.hidden = true;
    }
  };
  zone.addEventListener("dragover", event => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", event => { event.preventDefault(); zone.classList.remove("over"); take([...event.dataTransfer.files]); });
  return zone;
}

function creating(made) {
  const name = h("input", {name: "bucket", required: true, placeholder: "photos", pattern: "[a-z0-9][a-z0-9.\\-]{1,61}[a-z0-9]"});
  const versions = h("input", {type: "checkbox", name: "versions"});
  const lock = h("input", {type: "checkbox", name: "lock"});
  return h(".card", h("h2", "New bucket"), h("form", {id: "mb", onsubmit: doing(async () => {
    const bucket = name.value.trim();
    await signed("s3", `/${bucket}`, {method: "PUT", headers: lock.checked ? {"x-amz-bucket-object-lock-enabled": "true"} : {}});
    if (versions.checked && !lock.checked) {
      await signed("s3", `/${bucket}?versioning`, {method: "PUT", body: "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"});
    }
    note(`made ${bucket}`);
    await made(bucket);
  })}, h("label", "Name", name), h("label.check", versions, " keep versions"), h("label.check", lock, " object lock (keeps versions too)"),
  h("button.primary", {type: "submit"}, "Create")));
}
