// Calls to the server: the Connect protocol for the service's own calls, plain GETs for the rest.

const TOKEN = "hexmarshal-token";

/** A call that was refused; `reason` is the machine-readable one, `violations` the rules against it. */
export class Refused extends Error {
  constructor(body, status) {
    super(body.message || `the server answers ${status}`);
    this.code = body.code || "unavailable";
    this.status = status;
    this.details = body.details || [];
    this.reason = this.detail("google.rpc.ErrorInfo")?.reason ?? "";
    this.violations = this.detail("hexmarshal.v1.Verdict")?.violations ?? [];
  }

  detail(type) {
    return this.details.find((d) => d.type === type)?.debug;
  }
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? "",
  set: (text) => (text ? sessionStorage.setItem(TOKEN, text) : sessionStorage.removeItem(TOKEN)),
};

function headers(more = {}) {
  const known = token.get();
  return known ? { ...more, authorization: `Bearer ${known}` } : more;
}

async function answer(url, init) {
  let response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused({ code: "unavailable", message: "the server does not answer" }, 0);
  }
  const text = await response.text();
  let body = {};
  try { body = text ? JSON.parse(text) : {}; } catch { body = { message: text.trim() }; }
  if (!response.ok) throw new Refused(body, response.status);
  return body;
}

/** A unary call of the service: call("GameService/ListGames", {}). */
export function call(name, message = {}, signal) {
  return answer(`/hexmarshal.v1.${name}`, {
    method: "POST", signal, body: JSON.stringify(message),
    headers: headers({ "content-type": "application/json", "connect-protocol-version": "1" }),
  });
}

/** Several questions to the rules at once; each answer, or a Refused in its place. */
export async function several(questions) {
  const found = await answer("/several", {
    method: "POST", headers: headers({ "content-type": "application/json" }),
    body: JSON.stringify(questions.map(([call, message]) => ({ call, message }))),
  });
  return found.map((one) => one.answer ?? new Refused(one.error, 200));
}

/** One question; null where the rules refuse it. */
export async function ask(call, message) {
  const [found] = await several([[call, message]]).catch(() => [null]);
  return found instanceof Refused ? null : found;
}

/** No credentials of the browser's own are looked at by the server; asked like this, what was loaded ahead is found. */
export const get = (url, signal) => answer(url, { headers: headers(), signal });

export const post = (url, document) => answer(url, {
  method: "POST", headers: headers({ "content-type": "application/json" }), body: JSON.stringify(document),
});

/** Every page of a list. */
export async function all(name, message, field) {
  const found = [];
  let pageToken = "";
  do {
    const page = await call(name, { ...message, pageSize: 500, pageToken });
    found.push(...(page[field] ?? []));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  return found;
}

/** Server-sent events, read by fetch so that a token can go along. Comes back when the line breaks. */
export function watch(url, { happened, lost = () => {}, back = () => {}, refused = () => {} }) {
  const stop = new AbortController();
  let last = "";
  let wait = 300;
  (async () => {
    while (!stop.signal.aborted) {
      try {
        const more = last ? { "last-event-id": last } : {};
        const response = await fetch(url(), { headers: headers(more), signal: stop.signal, cache: "no-store" });
        if (!response.ok) throw new Refused(await response.json().catch(() => ({})), response.status);
        back();
        wait = 300;
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          text += value;
          let cut;
          while ((cut = text.indexOf("\n\n")) >= 0) {
            const event = parsed(text.slice(0, cut));
            text = text.slice(cut + 2);
            if (event.id) last = event.id;
            if (event.event === "happened") happened(event.data);
            if (event.event === "refused") { refused(new Refused(event.data, 200)); return; }
          }
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof Refused && error.status && error.status < 500) { refused(error); return; }
      }
      if (stop.signal.aborted) return;
      lost();
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(wait * 1.5, 3000);
    }
  })();
  return () => stop.abort();
}

function parsed(block) {
  const event = { event: "message", id: "", data: {} };
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const [name, value] = [line.slice(0, at), line.slice(at + 1).trimStart()];
    if (name === "data") event.data = JSON.parse(value);
    else if (name in event) event[name] = value;
  }
  return event;
}

// Values: the service's exact ones and JavaScript's own.

/** A Value, a Record or nothing as plain data. */
export function plain(value) {
  if (value === undefined || value === null) return null;
  if ("fields" in value) return Object.fromEntries(Object.entries(value.fields).map(([k, v]) => [k, plain(v)]));
  if ("boolValue" in value) return value.boolValue;
  if ("intValue" in value) return Number(value.intValue);
  if ("stringValue" in value) return value.stringValue;
  if ("listValue" in value) return (value.listValue.values ?? []).map(plain);
  if ("recordValue" in value) return plain({ fields: value.recordValue.fields ?? {} });
  return null;
}

/** Plain data as a Value. */
export function wrapped(value) {
  if (value === null || value === undefined) return {};
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  if (typeof value === "string") return { stringValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(wrapped) } };
  return { recordValue: record(value) };
}

/** Plain data by name as a Record. */
export const record = (values) => ({
  fields: Object.fromEntries(Object.entries(values).map(([k, v]) => [k, wrapped(v)])),
});

/** An exact number as people write it. */
export function number(rational) {
  if (!rational) return "0";
  const over = Number(rational.numerator ?? 0);
  const under = Number(rational.denominator ?? 1) || 1;
  if (under === 1) return String(over);
  const whole = Math.trunc(over / under);
  const rest = Math.abs(over % under);
  const sign = { "1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔" }[`${rest}/${under}`] ?? ` ${rest}/${under}`;
  if (!rest) return String(whole);
  return `${whole || (over < 0 ? "-" : "")}${sign}`.trim();
}
