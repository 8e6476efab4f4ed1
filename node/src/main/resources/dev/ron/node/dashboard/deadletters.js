// The workbench for dead letters of topics: look, change a copy, send again, drop.
import {ask, json, post} from "./api.js";
import {ago, base64, doing, facts, h, note, readable, redraw, sure, table, words} from "./dom.js";

export function deadLetters(place, changed) {
  const listed = h("div");
  const opened = h("div");
  place.append(h("h2", "Dead letters"), listed, opened);
  return {
    async refresh() {
      if (!listed.isConnected) place.replaceChildren(h("h2", "Dead letters"), listed, opened);
      const {messages} = await json("mailbox", "/v1/dlq?limit=50");
      redraw(listed, table([
        {name: "message", of: row => h("button.link.mono", {type: "button", "data-letter": row.msg_id, onclick: doing(() => open(row.msg_id, opened, changed))}, row.msg_id)},
        {name: "topic", of: row => row.topic},
        {name: "reason", of: row => h("span.tag.bad", row.reason)},
        {name: "attempts", number: true, of: row => String(row.attempts)},
        {name: "died", number: true, of: row => `${ago(Date.now() - row.died)} ago`},
      ], messages, "none; a message that failed too often comes here", {stack: true}));
    },
  };
}

async function open(id, opened, changed) {
  const letter = await json("mailbox", `/v1/dlq/${id}`);
  const text = h("textarea", {rows: 6, spellcheck: "false", "aria-label": "payload"});
  text.value = readable(base64.decode(letter.payload_b64 ?? ""));
  const close = said => {
    opened.replaceChildren(h("p.soft", said));
    return changed();
  };
  const again = async () => {
    await ask("mailbox", `/v1/dlq/${id}/reprocess`, {method: "POST"});
    note(`${id} is ready again`);
    await close("Sent again.");
  };
  const copy = async () => {
    const sent = await post("mailbox", `/v1/dlq/${id}/copy`, {idem_key: `${letter.idem_key}-edited-${Date.now()}`, payload_b64: base64.encode(new TextEncoder().encode(text.value))});
    note(`sent the changed copy as ${sent.msg_id}; the dead letter is still here`);
    await changed();
  };
  const drop = async () => {
    if (!await sure("Drop this dead letter?", "The message is gone for good.", "Drop")) return;
    await ask("mailbox", `/v1/dlq/${id}`, {method: "DELETE"});
    await close("Dropped.");
  };
  opened.replaceChildren(h("h3", "Dead letter"), facts(["topic", "reason", "attempts", "last_error", "idem_key", "corr_id"].map(key => [words(key), String(letter[key] ?? "")])),
    h("label", "Payload", text),
    h(".row", h("button.primary", {type: "button", id: "replay", onclick: doing(again)}, "Send again"),
      h("button", {type: "button", onclick: doing(copy)}, "Send changed copy"), h("button.danger", {type: "button", onclick: doing(drop)}, "Drop")));
}
