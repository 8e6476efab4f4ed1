// BLAKE3 in plain JavaScript, so that this page can check an address or a proof by itself.
// It follows the published description: chunks of 1 KiB, a stack of subtree values, one root.

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const CHUNK = 1024;
const BLOCK = 64;
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;

const rotate = (word, by) => (word >>> by) | (word << (32 - by));

function mix(v, a, b, c, d, x, y) {
  v[a] = (v[a] + v[b] + x) | 0; v[d] = rotate(v[d] ^ v[a], 16);
  v[c] = (v[c] + v[d]) | 0; v[b] = rotate(v[b] ^ v[c], 12);
  v[a] = (v[a] + v[b] + y) | 0; v[d] = rotate(v[d] ^ v[a], 8);
  v[c] = (v[c] + v[d]) | 0; v[b] = rotate(v[b] ^ v[c], 7);
}

const v = new Int32Array(16);

/** The first eight words of the compression; enough for 32 bytes of output and for chaining. */
function compress(chaining, words, counter, length, flags) {
  let m = words;
  for (let i = 0; i < 8; i++) v[i] = chaining[i];
  for (let i = 0; i < 4; i++) v[8 + i] = IV[i];
  v[12] = counter | 0;
  v[13] = Math.floor(counter / 0x100000000) | 0;
  v[14] = length;
  v[15] = flags;
  for (let round = 0; round < 7; round++) {
    mix(v, 0, 4, 8, 12, m[0], m[1]); mix(v, 1, 5, 9, 13, m[2], m[3]);
    mix(v, 2, 6, 10, 14, m[4], m[5]); mix(v, 3, 7, 11, 15, m[6], m[7]);
    mix(v, 0, 5, 10, 15, m[8], m[9]); mix(v, 1, 6, 11, 12, m[10], m[11]);
    mix(v, 2, 7, 8, 13, m[12], m[13]); mix(v, 3, 4, 9, 14, m[14], m[15]);
    const from = m;
    m = ORDER.map(index => from[index]);
  }
  return Int32Array.from({length: 8}, (_, i) => v[i] ^ v[i + 8]);
}

function wordsOf(data, offset, length) {
  const words = new Int32Array(16);
  for (let i = 0; i < length; i++) words[i >> 2] |= data[offset + i] << (8 * (i & 3));
  return words;
}

/** The value of one chunk; the root flag if it is all there is. */
function chunkValue(data, length, counter, root) {
  let chaining = IV;
  const blocks = Math.max(1, Math.ceil(length / BLOCK));
  for (let block = 0; block < blocks; block++) {
    const size = Math.min(BLOCK, length - block * BLOCK);
    const last = block === blocks - 1;
    const flags = (block === 0 ? CHUNK_START : 0) | (last ? CHUNK_END | (root ? ROOT : 0) : 0);
    chaining = compress(chaining, wordsOf(data, block * BLOCK, size), counter, size, flags);
  }
  return chaining;
}

function parentValue(left, right, root) {
  const words = new Int32Array(16);
  words.set(left, 0);
  words.set(right, 8);
  return compress(IV, words, 0, BLOCK, PARENT | (root ? ROOT : 0));
}

export class Hasher {
  #chunk = new Uint8Array(CHUNK);
  #held = 0;
  #chunks = 0;
  #stack = [];

  update(data) {
    for (let offset = 0; offset < data.length;) {
      if (this.#held === CHUNK) this.#closeChunk();
      const take = Math.min(CHUNK - this.#held, data.length - offset);
      this.#chunk.set(data.subarray(offset, offset + take), this.#held);
      this.#held += take;
      offset += take;
    }
    return this;
  }

  /** A chunk is closed only when another follows, because the last one may be the root. */
  #closeChunk() {
    let value = chunkValue(this.#chunk, CHUNK, this.#chunks, false);
    this.#chunks++;
    for (let total = this.#chunks; total % 2 === 0; total /= 2) value = parentValue(this.#stack.pop(), value, false);
    this.#stack.push(value);
    this.#held = 0;
  }

  digest() {
    let value = chunkValue(this.#chunk, this.#held, this.#chunks, this.#stack.length === 0);
    for (let i = this.#stack.length - 1; i >= 0; i--) value = parentValue(this.#stack[i], value, i === 0);
    const out = new Uint8Array(32);
    value.forEach((word, i) => { for (let byte = 0; byte < 4; byte++) out[i * 4 + byte] = word >>> (8 * byte); });
    return out;
  }

  hex() {
    return Array.from(this.digest(), byte => byte.toString(16).padStart(2, "0")).join("");
  }
}
