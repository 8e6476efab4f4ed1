// A file into a bucket: in one request where it is small, else in parts, one after the other.
import {signed} from "./api.js";
import {parsed, pathOf, word} from "./s3.js";

const PART = 8 * 1024 * 1024;

export async function upload(bucket, key, file, onShare) {
  const path = pathOf(bucket, key);
  const type = file.type || "application/octet-stream";
  if (file.size <= PART) {
    await signed("s3", path, {method: "PUT", body: file, headers: {"Content-Type": type}});
    onShare(1);
    return;
  }
  const id = word(await parsed("s3", `${path}?uploads`, {method: "POST", headers: {"Content-Type": type}}), "UploadId");
  try {
    const tags = [];
    const count = Math.ceil(file.size / PART);
    for (let part = 1; part <= count; part++) {
      const answer = await signed("s3", `${path}?partNumber=${part}&uploadId=${encodeURIComponent(id)}`, {method: "PUT", body: file.slice((part - 1) * PART, part * PART)});
      tags.push(answer.headers.get("ETag"));
      onShare(part / count);
    }
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join("");
    await parsed("s3", `${path}?uploadId=${encodeURIComponent(id)}`, {method: "POST", body: `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`});
  } catch (failure) {
    // What was sent would otherwise lie there until the bucket's rules take it.
    await signed("s3", `${path}?uploadId=${encodeURIComponent(id)}`, {method: "DELETE"}).catch(() => {});
    throw failure;
  }
}
