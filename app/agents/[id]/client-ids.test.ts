import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as register } from "../tools/register/route";
import { GET as getTrace } from "../traces/[id]/route";
import { GET as listTraces } from "../traces/route";
import { POST as invoke } from "./invoke/route";
import { POST as stream } from "./stream/route";
import { GET as state } from "./threads/[threadId]/route";

let server: RunServer;
const bodies: { thread_id: string }[] = [];
const callback = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  bodies.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  response.end(JSON.stringify({ result: "sunny" }));
});

afterEach(async () => {
  await server.close();
  callback.close();
});

/** Asks for the weather itself, then lets a subagent ask: both agents have the tool. */
async function start() {
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  const place = `127.0.0.1:${(callback.address() as AddressInfo).port}`;
  const asksWeather = { calls: [{ name: "weather", args: {} }] };
  server = await startRunServer(
    ({ messages = [] }) => {
      const isChild = JSON.stringify(messages).includes("You help.");
      const replies = messages.filter(({ role }) => role === "assistant").length;
      if (replies === 0) return asksWeather;
      if (replies > 1 || isChild) return { text: "done" };
      return { calls: [{ name: "task", args: { agent: "helper", description: "ask", prompt: "ask" } }] };
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: place },
  );
  const tool = { name: "weather", description: "Weather", parameters: { type: "object" }, read_only: true };
  const registered = await server.call(register, { as: "admin", body: { ...tool, callback_url: `http://${place}/` } });
  expect(registered.status).toBe(201);
  const raw = {
    model: "scripted:m",
    retries: 0,
    tools: ["weather"],
    trace: { verbose: true },
    prompt: { mode: "full" },
  };
  const helper = { name: "helper", description: "helps", prompt: "You help.", tools: ["weather"] };
  await createAgent(server.services, {
    agentId: "asker",
    raw: { ...raw, name: "Asker", subagents: [helper] },
    createdById: null,
  });
}

test("callbacks, root spans and every payload of /agents have the client's thread id, and never the row's", async () => {
  await start();
  const call = { as: "member", params: { id: "asker" } } as const;
  const body = { messages: [{ role: "user", content: "weather?" }], thread_id: "mine" };
  const invoked = await server.call(invoke, { ...call, body });
  const reply = await invoked.text();
  const { trace_id: id } = JSON.parse(reply);
  expect(bodies.map(({ thread_id }) => thread_id)).toEqual(["mine", "mine"]);
  const traceText = await (await server.call(getTrace, { as: "member", params: { id } })).text();
  const roots = JSON.parse(traceText).spans.filter(({ type }: { type: string }) => type === "agent");
  expect(roots.map((span: { attributes: object }) => span.attributes)).toEqual([
    expect.objectContaining({ thread_id: "mine" }),
    expect.objectContaining({ thread_id: "mine" }),
  ]);
  const payloads = [
    reply,
    traceText,
    await (await server.call(listTraces, { as: "member" })).text(),
    await (await server.call(state, { as: "member", params: { id: "asker", threadId: "mine" } })).text(),
    await (await server.call(stream, { ...call, body })).text(),
    await (await server.call(stream, { ...call, body, path: "/?format=run" })).text(),
  ];
  const rows = await server.database.thread.findMany({ select: { id: true } });
  expect(rows.length).toBeGreaterThan(1);
  for (const payload of payloads) for (const row of rows) expect(payload).not.toContain(row.id);
});
