// Topics, and the workbench for dead letters: look, change a copy, send again, drop.
import {ask, json, post} from "./api.js";
import {base64, doing, h, note, readable, table} from "./dom.js";

export function queue(place) {
  const topics = h(".card");
  const dead = h(".card", {id: "dead"});
  const shown = h(".card", h("p.soft", "Choose a dead letter to see it."));
  place.append(h("h1", "Queue"), h(".two", h("div", topics, dead), h("div", sending(refresh), receiving(refresh), shown)));

  async function refresh() {
    try {
      const [all, letters] = await Promise.all([json("mailbox", "/v1/topics"), json("mailbox", "/v1/dlq?limit=50")]);
      topics.replaceChildren(h("h2", "Topics"), topicTable(all.topics));
      dead.replaceChildren(h("h2", "Dead letters"), deadTable(letters, shown, refresh));
    } catch (failure) {
      topics.replaceChildren(h("h2", "Topics"), h("p.soft", failure.message));
      dead.replaceChildren();
    }
  }
  refresh();
  const timer = setInterval(refresh, 2000);
  return () => clearInterval(timer);
}

function topicTable(topics) {
  return table([
    {name: "topic", of: row => row.topic},
    {name: "ready", number: true, of: row => String(row.ready ?? row.depth ?? 0)},
    {name: "in flight", number: true, of: row => String(row.in_flight ?? 0)},
    {name: "dead", number: true, of: row => String(row.dead ?? 0)},
    {name: "oldest", number: true, of: row => row.oldest_age_ms === undefined || row.oldest_age_ms === null ? "–" : `${Math.round(row.oldest_age_ms / 1000)} s`},
  ], topics, "no topic yet; send something");
}

function deadTable(letters, shown, refresh) {
  const all = letters.dead ?? letters.letters ?? letters.messages ?? [];
  return table([
    {name: "message", of: row => h("button.mono", {type: "button", onclick: doing(() => look(row.msg_id, shown, refresh))}, row.msg_id)},
    {name: "topic", of: row => row.topic},
    {name: "reason", of: row => h("span.tag.bad", row.reason)},
    {name: "attempts", number: true, of: row => String(row.attempts ?? row.attempt ?? "")},
  ], all, "none; what failed five times would be here");
}

async function look(id, shown, refresh) {
  const letter = await json("mailbox", `/v1/dlq/${id}`);
  const text = h("textarea", {rows: 8, spellcheck: "false", "aria-label": "payload"});
  text.value = readable(base64.decode(letter.payload_b64 ?? ""));
  const {payload_b64: _, ...rest} = letter;
  shown.replaceChildren(h("h2", "Dead letter"), h("pre", JSON.stringify(rest, null, 2)), h("label", "Payload", text),
    h(".row",
      h("button.primary", {type: "button", id: "replay", onclick: doing(async () => {
        await ask("mailbox", `/v1/dlq/${id}/reprocess`, {method: "POST"});
        note(`${id} is ready again`);
        shown.replaceChildren(h("p.soft", "Sent again."));
        await refresh();
      })}, "Send again"),
      h("button", {type: "button", onclick: doing(async () => {
        const sent = await send(letter.topic, `${letter.idem_key}-edited-${Date.now()}`, new TextEncoder().encode(text.value));
        note(`sent the changed copy as ${sent.msg_id}; the dead letter is still here`);
        await refresh();
      })}, "Send changed copy"),
      h("button.danger", {type: "button", onclick: doing(async () => {
        await ask("mailbox", `/v1/dlq/${id}`, {method: "DELETE"});
        shown.replaceChildren(h("p.soft", "Dropped."));
        await refresh();
      })}, "Drop")));
}

function send(topic, key, payload) {
  return post("mailbox", "/v1/send", {topic, idem_key: key, payload_b64: base64.encode(payload)});
}

function sending(refresh) {
  const topic = h("input", {name: "topic", value: "orders", required: true});
  const text = h("input", {name: "payload", value: "hello"});
  return h(".card", h("h2", "Send"), h("form", {id: "send", onsubmit: doing(async () => {
    const sent = await send(topic.value, crypto.randomUUID(), new TextEncoder().encode(text.value));
    note(`durable as ${sent.msg_id}`);
    await refresh();
  })}, h(".row", h("label", "Topic", topic), h("label", "Payload", text), h("button.primary", {type: "submit"}, "Send"))));
}

/** Takes one message and lets the reader settle it; five failures make it a dead letter. */
function receiving(refresh) {
  const topic = h("input", {name: "topic", value: "orders", required: true});
  const got = h("div");
  const settle = (message, verb, body, said) => doing(async () => {
    await post("mailbox", `/v1/${verb}/${message.msg_id}`, {receipt: message.receipt, ...body});
    got.replaceChildren(h("p.soft", said));
    await refresh();
  });
  return h(".card", h("h2", "Receive"), h("form", {id: "receive", onsubmit: doing(async () => {
    const {messages} = await post("mailbox", "/v1/recv", {topic: topic.value, visibility_ms: 30000, max_messages: 1});
    if (messages.length === 0) {
      got.replaceChildren(h("p.soft", "Nothing is ready."));
      return;
    }
    const [message] = messages;
    got.replaceChildren(h("p", h("code", message.msg_id), ` attempt ${message.attempt}`), h("pre", readable(base64.decode(message.payload_b64))),
      h(".row", h("button.primary", {type: "button", id: "ack", onclick: settle(message, "ack", {}, "Acknowledged: gone.")}, "Ack"),
        h("button", {type: "button", id: "nack", onclick: settle(message, "nack", {reason: "by hand", delay_ms: 0}, "Given back.")}, "Nack")));
    await refresh();
  })}, h(".row", h("label", "Topic", topic), h("button", {type: "submit"}, "Receive"))), got);
}
