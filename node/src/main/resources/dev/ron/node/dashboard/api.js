// One call to a service, through the admin door's passage, with the capability of this tab.

const KEY = "ron.capability";

/** What a service refused, in its own words. */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(status === 401 ? `${detail} (press Capability and give a token)` : `${code}: ${detail}`);
    this.status = status;
    this.code = code;
  }
}

export const capability = {
  held: () => sessionStorage.getItem(KEY) ?? "",
  keep: token => token.trim() ? sessionStorage.setItem(KEY, token.trim()) : sessionStorage.removeItem(KEY),
  /**
   * A token in the fragment is taken once and removed, so that it stays out of the history. It does not
   * replace another one: a link could make whoever follows it work with the capability of its author.
   * Answers whether one was left out for that reason.
   */
  takeFromAddress() {
    const match = /[#&]cap=([^&]+)/.exec(location.hash);
    if (!match) return false;
    const brought = decodeURIComponent(match[1]).trim();
    const held = capability.held();
    if (!held) capability.keep(brought);
    history.replaceState(null, "", `${location.pathname}#/overview`);
    return held !== "" && held !== brought;
  },
};

export async function ask(service, path, {method = "GET", body, headers = {}} = {}) {
  const all = {...headers};
  if (capability.held()) all.Authorization = `Bearer ${capability.held()}`;
  const url = service === null ? path : `/api/${service}${path}`;
  const answer = await fetch(url, {method, body, headers: all, cache: "no-store"});
  if (answer.ok || answer.status === 304) return answer;
  let code = `status ${answer.status}`;
  let detail = answer.statusText || "no reason given";
  if ((answer.headers.get("Content-Type") ?? "").includes("json")) {
    const problem = await answer.json().catch(() => ({}));
    code = problem.code ?? code;
    detail = problem.detail ?? detail;
  }
  throw new Problem(answer.status, code, detail);
}

/** A call to a door with signatures: the passage signs it with the key pair that the capability is. */
export async function signed(service, path, {method = "GET", body, headers = {}} = {}) {
  const all = {...headers};
  if (capability.held()) all.Authorization = `Bearer ${capability.held()}`;
  const answer = await fetch(`/signed/${service}${path}`, {method, body, headers: all, cache: "no-store"});
  if (answer.ok) return answer;
  throw refused(answer.status, await answer.text());
}

/** What the two protocols and the passage itself say of a refusal. */
function refused(status, text) {
  if (text.startsWith("{")) {
    const told = JSON.parse(text);
    return new Problem(status, told.code ?? (told.__type ?? "").split("#").pop(), told.detail ?? told.message ?? "refused");
  }
  const told = text.startsWith("<") ? new DOMParser().parseFromString(text, "text/xml") : null;
  const word = name => told?.getElementsByTagName(name)[0]?.textContent;
  return new Problem(status, word("Code") ?? `status ${status}`, word("Message") ?? "no reason given");
}

export async function sqs(action, body) {
  const answer = await signed("sqs", "", {method: "POST", body: JSON.stringify(body),
    headers: {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": `AmazonSQS.${action}`}});
  const text = await answer.text();
  return text === "" ? {} : JSON.parse(text);
}

export async function json(service, path, options) {
  return (await ask(service, path, options)).json();
}

export function post(service, path, value) {
  return json(service, path, {method: "POST", body: JSON.stringify(value), headers: {"Content-Type": "application/json"}});
}
