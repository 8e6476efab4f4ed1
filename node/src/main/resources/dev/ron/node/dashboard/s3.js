// What the pages need of S3: its documents as elements, and keys as paths.
import {signed} from "./api.js";

export async function parsed(service, path, options) {
  const text = await (await signed(service, path, options)).text();
  return new DOMParser().parseFromString(text === "" ? "<Empty/>" : text, "text/xml");
}

/** All elements of a name, wherever they are. */
export const some = (within, name) => [...within.getElementsByTagName(name)];

/** The text of the first element of a name, empty if there is none. */
export const word = (within, name) => within.getElementsByTagName(name)[0]?.textContent ?? "";

/** A key as a path: each part escaped, the slashes kept. */
export const pathOf = (bucket, key) => `/${bucket}/${key.split("/").map(escaped).join("/")}`;

/** What encodeURIComponent leaves and signatures do not. */
const escaped = part => encodeURIComponent(part).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
