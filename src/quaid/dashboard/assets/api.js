// Operations of the memory, and the stream of what is done to it.

export class Failure extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint || "", data: error });
  }
}

async function answered(response) {
  const data = await response.json().catch(() => ({}));
  if (!response.ok) {
    const failure = new Failure(response.status, data.error || { message: `the server answered ${response.status}` });
    if (response.status === 401) dispatchEvent(new CustomEvent("signed-out"));
    throw failure;
  }
  return data;
}

/** Ask at an address that is no operation. */
export const get = async (address, signal) => answered(await fetch(address, { signal }));

export const send = async (address, values) =>
  answered(await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values) }));

/** Ask an operation that reads. */
export async function read(name, values = {}, signal) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== "" && value !== false) query.append(key, value);
  return answered(await fetch(`/api/${name.replaceAll(" ", "/")}?${query}`, { signal }));
}

/** Run an operation that writes; what one session does can be undone together. */
export async function write(name, values, session) {
  const headers = { "content-type": "application/json" };
  if (session) headers["quaid-session"] = session;
  const response = await fetch(`/api/${name.replaceAll(" ", "/")}`, { method: "POST", headers, body: JSON.stringify(values) });
  return answered(response);
}

/** A read with too much to say for an address. */
export const ask = (name, values) => write(name, values);

export const newSession = (what) => `${what}-${crypto.randomUUID().slice(0, 8)}`;

// One tab listens and tells the others: a browser has few connections for one server.
export function listen(heard) {
  const channel = new BroadcastChannel("quaid-changes");
  channel.onmessage = (message) => heard(message.data);
  navigator.locks.request("quaid-changes", () => new Promise(() => {
    const source = new EventSource("/api/events");
    const tell = (change) => { channel.postMessage(change); heard(change); };
    source.addEventListener("change", (event) => tell(JSON.parse(event.data)));
    source.addEventListener("gap", () => tell({ kind: "gap" }));
    source.addEventListener("ready", () => { document.body.dataset.live = "true"; });
  }));
}
