// The last hour as the node keeps it, read on every few seconds while the page is looked at.
import {json} from "./api.js";

const KEPT_MS = 3600000;
export const past = {rows: [], periodMs: 5000};

/** Calls back with the rows whenever there are more; answers how to stop. */
export function follow(onRows) {
  let over = false;
  const turn = async () => {
    if (over) return;
    if (!document.hidden) {
      try {
        const told = await json(null, `/history?since=${past.rows.at(-1)?.at ?? 0}`);
        // A node that began anew has a clock and counts of its own; what is older than an hour is not drawn.
        const newest = told.rows.at(-1)?.at ?? past.rows.at(-1)?.at ?? 0;
        past.rows = [...past.rows, ...told.rows].filter(row => row.at > newest - KEPT_MS);
        past.periodMs = told.period_ms;
        onRows(past.rows);
      } catch {
        // The pulse in the header says that the node does not answer.
      }
    }
    setTimeout(turn, past.periodMs);
  };
  turn();
  return () => { over = true; };
}

/** What is kept of one service or tenant, by name. */
export const figure = {requests: 0, failed: 1, refused: 2, p50: 3, p99: 4};
export const of = (kind, name, what) => row => row[kind][name]?.[figure[what]] ?? null;
