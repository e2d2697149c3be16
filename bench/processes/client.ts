import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";

/** A serving process, and its user. */
export interface Client {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

const LONGEST_WAIT_MS = 60_000;

/** Retries until the process answers; a message that is resent with its idempotency key is the same message. */
async function call<Body>({ address, headers }: Client, path: string, body?: unknown, key?: string): Promise<Body> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const reply = await fetch(address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
      body: body === undefined ? null : JSON.stringify(body),
    }).catch(() => null);
    if (reply?.ok) return (await reply.json()) as Body;
    if ((reply && reply.status < 500 && reply.status !== 429) || Date.now() > deadline) {
      throw new Error(`${path}: ${reply?.status ?? "no answer"} ${await reply?.text()}`);
    }
    await sleep(100);
  }
}

export async function openThread(client: Client, agentId: string): Promise<string> {
  return (await call<{ id: string }>(client, "/api/threads", { agentId })).id;
}

/** Resolves with the id of the run once the message is acknowledged. */
export async function send(client: Client, threadId: string, content: string): Promise<string> {
  const path = `/api/threads/${threadId}/messages`;
  return (await call<{ runId: string }>(client, path, { content }, crypto.randomUUID())).runId;
}

/** Allows what the run waits for, as soon as the process lists it. */
export async function allow(client: Client, runId: string): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < deadline) {
    const { approvals } = await call<{ approvals: { runId: string; toolCallId: string }[] }>(client, "/api/approvals");
    const own = approvals.filter((approval) => approval.runId === runId);
    const decisions = own.map(({ toolCallId }) => ({ tool_call_id: toolCallId, decision: "allow" }));
    if (decisions.length > 0) return void (await call(client, `/api/runs/${runId}/decisions`, { decisions }));
    await sleep(10);
  }
  throw new Error("The process does not list what the run waits for.");
}

/** The thread's stream, from now on until `close`. */
export async function followThread({ address, headers }: Client, threadId: string) {
  const end = new AbortController();
  const reply = await fetch(`${address}/api/threads/${threadId}/stream`, { headers, signal: end.signal });
  if (!reply.ok || !reply.body) throw new Error(`The stream of a thread was refused: ${reply.status}`);
  const seen: { readonly name: string; readonly at: number }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => seen.push({ name: event ?? nameOf(data), at: performance.now() }),
  });
  const read = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
  };
  const done = read(reply.body).catch(() => undefined);
  return {
    seen: seen as readonly { readonly name: string; readonly at: number }[],
    /** When the event of this name arrived; events already received count. */
    async arrival(name: string): Promise<number> {
      const deadline = Date.now() + LONGEST_WAIT_MS;
      while (Date.now() < deadline) {
        const found = seen.find((event) => event.name === name);
        if (found) return found.at;
        await sleep(2);
      }
      throw new Error(`No ${name} has come; seen: ${seen.map((event) => event.name).join(", ")}`);
    },
    async close(): Promise<void> {
      end.abort();
      await done;
    },
  };
}

function nameOf(data: string): string {
  return data.startsWith("{") ? String((JSON.parse(data) as { type?: unknown }).type) : data;
}
