// Topics of the mailbox and queues of the SQS door: look, send, receive, send dead letters again, purge.
import {ask, json, post, sqs} from "./api.js";
import {ago, base64, doing, h, note, readable, redraw, sure, table} from "./dom.js";
import {deadLetters} from "./deadletters.js";

const SQS = /^sqs\/([^/]+)\/(.+)$/;
const MOVES_MAX = 1000;

export function queues(place) {
  const list = h(".card", {id: "queues"});
  const dead = h(".card", {id: "dead"});
  const shown = h(".card", {id: "shown"}, h("p.soft", "Choose a topic or a queue to see its messages."));
  const letters = deadLetters(dead, () => refresh());
  let urls = new Map();
  let chosen = null;
  const send = sending(name => choose(name));
  place.append(h("h1", "Queues"), h(".two.even", h("div", list, dead), h("div", shown, send, creating(() => refresh()))));

  async function refresh() {
    try {
      const {topics} = await json("mailbox", "/v1/topics");
      urls = await queueUrls();
      const all = rowsOf(topics, urls);
      redraw(list, h("h2", "Topics and queues"), queueTable(all, chosen, name => choose(name)));
      await letters.refresh();
    } catch (failure) {
      list.replaceChildren(h("h2", "Topics and queues"), h("p.soft", failure.message));
      dead.replaceChildren();
    }
  }
  async function choose(name) {
    chosen = name;
    send.querySelector("input[name=topic]").value = name;
    await refresh();
    showQueue(shown, name, urls.get(name) ?? null, refresh);
    shown.scrollIntoView({block: "nearest"});
  }
  refresh();
  const timer = setInterval(() => document.hidden || refresh(), 2000);
  return () => clearInterval(timer);
}

/** By topic; empty where the SQS door is closed. */
async function queueUrls() {
  try {
    const {QueueUrls = []} = await sqs("ListQueues", {});
    return new Map(QueueUrls.map(url => [`sqs/${url.split("/").slice(-2).join("/")}`, url]));
  } catch {
    return new Map();
  }
}

/** A queue without a message is no topic of the mailbox yet, and is shown all the same. */
function rowsOf(topics, urls) {
  const names = new Set([...topics.map(row => row.topic), ...urls.keys()]);
  const empty = topic => ({topic, ready: 0, delayed: 0, in_flight: 0, dead: 0, oldest_age_ms: null});
  return [...names].sort().map(name => topics.find(row => row.topic === name) ?? empty(name));
}

const kindOf = topic => !SQS.test(topic) ? "topic" : topic.endsWith(".fifo") ? "SQS FIFO" : "SQS";
const nameOf = topic => SQS.exec(topic)?.[2] ?? topic;

function queueTable(rows, chosen, choose) {
  return table([
    {name: "name", of: row => h("button.link", {type: "button", "data-queue": row.topic, "aria-pressed": String(row.topic === chosen), onclick: doing(() => choose(row.topic))}, nameOf(row.topic))},
    {name: "kind", of: row => h("span.tag", kindOf(row.topic))},
    {name: "ready", number: true, of: row => String(row.ready)},
    {name: "delayed", number: true, of: row => String(row.delayed ?? 0)},
    {name: "in flight", number: true, of: row => String(row.in_flight)},
    {name: "dead", number: true, of: row => row.dead > 0 ? h("span.tag.bad", String(row.dead)) : "0"},
    {name: "oldest", number: true, of: row => row.oldest_age_ms === null || row.oldest_age_ms === undefined ? "–" : ago(row.oldest_age_ms)},
  ], rows, "no topic yet; send something", {stack: true, mark: row => row.topic === chosen ? {"aria-current": "true"} : {}});
}

function showQueue(place, topic, url, refresh) {
  const messages = h("div", {id: "messages"});
  const got = h("div");
  const peek = async () => {
    const told = await json("mailbox", `/v1/peek?limit=32&topic=${encodeURIComponent(topic)}`);
    messages.replaceChildren(peekTable(told.messages));
  };
  const purge = doing(async () => {
    if (!await sure(`Purge ${nameOf(topic)}?`, "All its messages go, also those that consumers have in hand. This cannot be taken back.", "Purge")) return;
    if (url) await sqs("PurgeQueue", {QueueUrl: url});
    else await post("mailbox", "/v1/purge", {topic});
    note(`${nameOf(topic)} is empty`);
    await Promise.all([peek(), refresh()]);
  });
  place.replaceChildren(h("header", h("h2", nameOf(topic)), h("span.tag", kindOf(topic))),
    h(".row", h("button", {type: "button", id: "peek", onclick: doing(peek)}, "Look again"),
      h("button", {type: "button", id: "take", onclick: doing(() => take(topic, got, () => Promise.all([peek(), refresh()])))}, "Receive one"),
      url ? h("button", {type: "button", id: "redrive", onclick: doing(() => redriveQueue(url))}, "Redrive") : h("button", {type: "button", id: "redrive", onclick: doing(() => redriveTopic(topic, refresh))}, "Redrive dead letters"),
      url ? h("button.danger", {type: "button", onclick: doing(() => deleteQueue(url, topic, place, refresh))}, "Delete queue") : "",
      h("button.danger", {type: "button", id: "purge", onclick: purge}, "Purge")),
    got, h("h3", "Messages, without receiving them"), messages);
  doing(peek)();
}

function peekTable(messages) {
  return table([
    {name: "state", of: row => h(row.state === "in-flight" ? "span.tag.warn" : "span.tag", row.state)},
    {name: "received", number: true, of: row => `${row.attempt} ×`},
    {name: "age", number: true, of: row => h("span.nowrap", ago(Date.now() - row.ts))},
    {name: "message", of: row => h("details", h("summary.mono", preview(row)), h("pre", readable(base64.decode(row.payload_b64))), h("p.mono.soft", row.msg_id))},
  ], messages, "no message lies here", {stack: true});
}

const preview = row => {
  const text = readable(base64.decode(row.payload_b64)).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text || "(empty)";
};

/** Takes one message and lets the reader settle it; five failures make it a dead letter. */
async function take(topic, got, refresh) {
  const {messages: [message]} = await post("mailbox", "/v1/recv", {topic, visibility_ms: 30000, max_messages: 1});
  if (!message) {
    got.replaceChildren(h("p.soft", "Nothing is ready."));
    return;
  }
  const settle = (verb, body, said) => doing(async () => {
    await post("mailbox", `/v1/${verb}/${message.msg_id}`, {receipt: message.receipt, ...body});
    got.replaceChildren(h("p.soft", said));
    await refresh();
  });
  got.replaceChildren(h("p", h("code", message.msg_id), ` attempt ${message.attempt}, yours for 30 s`), h("pre", readable(base64.decode(message.payload_b64))),
    h(".row", h("button.primary", {type: "button", id: "ack", onclick: settle("ack", {}, "Acknowledged: gone.")}, "Ack"),
      h("button", {type: "button", id: "nack", onclick: settle("nack", {reason: "by hand", delay_ms: 0}, "Given back.")}, "Nack")));
  await refresh();
}

async function redriveTopic(topic, refresh) {
  const {count} = await post("mailbox", "/v1/dlq/reprocess", {topic, limit: MOVES_MAX});
  note(count === 0 ? "there is no dead letter of this topic" : `${count} dead letters are ready again`);
  await refresh();
}

async function redriveQueue(url) {
  const {Attributes: {QueueArn}} = await sqs("GetQueueAttributes", {QueueUrl: url, AttributeNames: ["QueueArn"]});
  await sqs("StartMessageMoveTask", {SourceArn: QueueArn});
  note("its messages go back to the queues that they died in");
}

async function deleteQueue(url, topic, place, refresh) {
  if (!await sure(`Delete the queue ${nameOf(topic)}?`, "It goes with all its messages, and its name is blocked for a minute.", "Delete")) return;
  await sqs("DeleteQueue", {QueueUrl: url});
  place.replaceChildren(h("p.soft", "Deleted."));
  await refresh();
}

function sending(choose) {
  const topic = h("input", {name: "topic", value: "orders", required: true});
  const text = h("textarea", {name: "payload", rows: 2});
  text.value = "hello";
  return h(".card", h("h2", "Send"), h("form", {id: "send", onsubmit: doing(async () => {
    const name = topic.value.trim();
    const sent = SQS.test(name) ? await sendToQueue(name, text.value) : await sendToTopic(name, text.value);
    note(`durable as ${sent}`);
    await choose(name);
  })}, h("label", "Topic, or sqs/ACCOUNT/QUEUE", topic), h("label", "Payload", text), h("button.primary", {type: "submit"}, "Send")));
}

async function sendToTopic(topic, text) {
  const sent = await post("mailbox", "/v1/send", {topic, idem_key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, payload_b64: base64.encode(new TextEncoder().encode(text))});
  return sent.msg_id;
}

async function sendToQueue(topic, text) {
  const [, account, name] = SQS.exec(topic);
  const {QueueUrl} = await sqs("GetQueueUrl", {QueueName: name, QueueOwnerAWSAccountId: account});
  const group = name.endsWith(".fifo") ? {MessageGroupId: "dashboard", MessageDeduplicationId: `${Date.now()}-${Math.random()}`} : {};
  return (await sqs("SendMessage", {QueueUrl, MessageBody: text, ...group})).MessageId;
}

function creating(refresh) {
  const name = h("input", {name: "queue", required: true, placeholder: "jobs, or jobs.fifo"});
  return h("details.card", h("summary", "New SQS queue"), h("form", {id: "create", onsubmit: doing(async () => {
    const fifo = name.value.endsWith(".fifo") ? {Attributes: {FifoQueue: "true"}} : {};
    const {QueueUrl} = await sqs("CreateQueue", {QueueName: name.value.trim(), ...fifo});
    note(`made ${QueueUrl}`);
    await refresh();
  })}, h(".row", h("label", "Name", name), h("button", {type: "submit"}, "Create"))));
}
