// Prometheus text, and the figures drawn from two readings of it.

/** Name to a list of {labels, value}. */
export function parse(text) {
  const series = new Map();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!match) continue;
    const labels = {};
    for (const [, key, value] of (match[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value;
    if (!series.has(match[1])) series.set(match[1], []);
    series.get(match[1]).push({labels, value: match[3] === "+Inf" ? Infinity : Number(match[3])});
  }
  return series;
}

export function sum(series, name, wanted = () => true) {
  return (series?.get(name) ?? []).filter(one => wanted(one.labels)).reduce((total, one) => total + one.value, 0);
}

/** How much a counter grew a second; a restart, which counts from nothing again, shows as its new value. */
export function rate(before, after, elapsed, name, wanted) {
  const grown = sum(after, name, wanted) - sum(before, name, wanted);
  return Math.max(0, grown >= 0 ? grown : sum(after, name, wanted)) / elapsed;
}

/** The quantile of what a histogram took in between two readings, as its buckets tell it; null for none. */
export function quantile(before, after, name, q, wanted = () => true) {
  const bounds = new Map();
  const add = (series, sign) => {
    for (const {labels, value} of series?.get(`${name}_bucket`) ?? []) {
      if (!wanted(labels)) continue;
      const bound = labels.le === "+Inf" ? Infinity : Number(labels.le);
      bounds.set(bound, (bounds.get(bound) ?? 0) + sign * value);
    }
  };
  add(after, 1);
  add(before, -1);
  const ordered = [...bounds].sort((a, b) => a[0] - b[0]);
  const all = ordered.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of ordered) {
    if (count >= q * all) {
      if (bound === Infinity) return lower;
      return lower + (bound - lower) * (q * all - below) / Math.max(1e-9, count - below);
    }
    lower = bound;
    below = count;
  }
  return lower;
}
