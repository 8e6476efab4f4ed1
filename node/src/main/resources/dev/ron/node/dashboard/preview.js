// The beginning of some bytes as a person can read it. Types are told by the bytes: what an owner says of them is not trusted.
import {base64, bytes, h} from "./dom.js";

const TEXT_MAX = 64 * 1024;
const IMAGE_MAX = 2 * 1024 * 1024;

const IMAGES = [["image/png", [0x89, 0x50, 0x4e, 0x47]], ["image/jpeg", [0xff, 0xd8, 0xff]], ["image/gif", [0x47, 0x49, 0x46, 0x38]], ["image/webp", [0x52, 0x49, 0x46, 0x46]]];

/** Answers an element; `read` asks for a range of the bytes. */
export async function preview(read, size) {
  if (size === 0) return h("p.soft", "It is empty.");
  const first = new Uint8Array(await (await read(`bytes=0-${Math.min(size, TEXT_MAX) - 1}`)).arrayBuffer());
  const image = IMAGES.find(([, magic]) => magic.every((byte, index) => first[index] === byte))?.[0];
  if (image && size > IMAGE_MAX) return h("p.soft", `An image of ${bytes(size)}; those up to ${bytes(IMAGE_MAX)} are shown.`);
  if (image) {
    const whole = size <= first.length ? first : new Uint8Array(await (await read(`bytes=0-${size - 1}`)).arrayBuffer());
    return h("img", {src: `data:${image};base64,${base64.encode(whole)}`, alt: "preview"});
  }
  const text = decoded(first, size > first.length);
  if (text === null) return h("p.soft", "Neither text nor an image of a known kind: ", h("code", hex(first.slice(0, 32))));
  return h("div", h("pre", {tabindex: "0"}, pretty(text)), size > first.length ? h("p.soft", `the first ${bytes(first.length)} of ${bytes(size)}`) : "");
}

/** Text, or null; a character may be cut at the end of a first piece. */
function decoded(data, cut) {
  try {
    const text = new TextDecoder("utf-8", {fatal: true}).decode(data, {stream: cut});
    return /[\x00-\x08\x0e-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const hex = data => Array.from(data, byte => byte.toString(16).padStart(2, "0")).join(" ");
