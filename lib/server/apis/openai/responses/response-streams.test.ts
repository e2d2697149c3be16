import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { closeEventStreams } from "@/lib/server/http/event-stream";
import { responsesServer } from "@/lib/testing/clients/responses-server";
import { parseEventStream } from "@/lib/testing/servers/run-server";

const { start, server, client } = responsesServer();
const model = "agent:coder";
const CUT = { text: "Half a sent", fault: { kind: "cut" } } as const;

const runStatus = async () => (await server().database.run.findFirst())?.status;

/** Resolves when the test lets the model go on. */
function gated() {
  const gate = Promise.withResolvers<void>();
  return { gate: gate.promise, open: gate.resolve };
}

async function eventsOf(
  request: object,
): Promise<{ type: string; sequence_number: number; [field: string]: unknown }[]> {
  const events = [];
  for await (const event of client().responses.stream({ model, input: "hi", ...request })) events.push(event);
  return events as never;
}

test("a reply that the provider cuts off fails with what was said, and nothing follows", async () => {
  await start([CUT]);
  const events = await eventsOf({});
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    response: {
      status: "failed",
      error: { code: "server_error", message: expect.any(String) },
      output: [{ type: "message", status: "incomplete", content: [{ text: "Half a sent" }] }],
      usage: null,
    },
  });
  const { id } = (events[0] as unknown as { response: { id: string } }).response;
  expect(await client().responses.retrieve(id)).toMatchObject({
    status: "failed",
    error: { code: "server_error" },
    output: [{ status: "incomplete" }],
  });
});

test("a reply that the provider cuts off is an error where it is not streamed", async () => {
  await start([CUT]);
  await expect(client().responses.create({ model, input: "hi" })).rejects.toMatchObject({
    status: 502,
    code: "model_failed",
  });
});

test("text that a retry voids is taken back where nothing was sent, and otherwise fails", async () => {
  await start([CUT, { text: "Whole." }, CUT, { text: "Whole." }]);
  await createAgent(server().services, {
    agentId: "again",
    raw: { name: "Again", model: "scripted:m", retries: 1 },
    createdById: null,
  });
  const request = { model: "agent:again", input: "hi" };
  const whole = await client().responses.create(request);
  expect([whole.output_text, whole.output.length]).toEqual(["Whole.", 1]);
  expect((await client().responses.retrieve(whole.id)).output_text).toBe("Whole.");
  const events = await eventsOf(request);
  expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { status: "failed" } });
});

test.each([true, false])("a client that leaves cancels the run (stream: %s)", async (stream) => {
  const { gate, open } = gated();
  await start([{ text: "Never read.", gate }]);
  const left = new AbortController();
  const reply = client().responses.create({ model, input: "hi", stream }, { signal: left.signal });
  const read = async () => {
    const sent = await reply;
    if (Symbol.asyncIterator in sent) for await (const _ of sent);
  };
  const ended = read().catch(() => "left");
  await server().provider.request(1);
  left.abort();
  await ended;
  await expect.poll(runStatus).toBe("cancelled");
  open();
  const run = await server().database.run.findFirstOrThrow();
  expect(await client().responses.retrieve(`resp_${run.id}`)).toMatchObject({ status: "cancelled", error: null });
});

test("a restart of the server ends a stream with an error that has the next number", async () => {
  const { gate, open } = gated();
  await start([{ text: "Later.", gate }]);
  const { baseURL, apiKey } = client();
  const reply = await fetch(`${baseURL}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, input: "hi", stream: true }),
  });
  const text = reply.text();
  await server().provider.request(1);
  expect(closeEventStreams(server().services)).toBe(1);
  const events = parseEventStream(await text);
  open();
  expect(events.map(({ event }) => event)).toEqual(["response.created", "response.in_progress", "error"]);
  expect(events.at(-1)?.data).toMatchObject({ type: "error", sequence_number: 2, code: "unavailable" });
});

test("one who reads byte by byte holds up nobody, and gets the whole response", async () => {
  const long = "An otter swims. ".repeat(40_000);
  await start([{ text: [long] }, { text: "Quick." }]);
  const { baseURL, apiKey } = client();
  const { hostname, port } = new URL(baseURL);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ model, input: "hi", stream: true });
  const head = `POST /v1/responses HTTP/1.0\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${apiKey}`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const bytes: Buffer[] = [];
  const readByte = async () => {
    for (;;) {
      const byte = socket.read(1) as Buffer | null;
      if (byte) return bytes.push(byte);
      await once(socket, "readable");
    }
  };
  for (let count = 0; count < 100; count += 1) await readByte();
  await expect.poll(runStatus, { timeout: 20_000 }).toBe("completed");
  const quick = await client().responses.create({ model, input: "a" });
  expect(quick.output_text).toBe("Quick.");
  for await (const chunk of socket) bytes.push(chunk);
  const text = Buffer.concat(bytes).toString();
  const events = parseEventStream(text.slice(text.indexOf("event:")));
  const last = events.at(-1)?.data as { type: string; response: { output: { content: { text: string }[] }[] } };
  expect(last.type).toBe("response.completed");
  expect(last.response.output[0]?.content[0]?.text.trim()).toBe(long.trim());
});
