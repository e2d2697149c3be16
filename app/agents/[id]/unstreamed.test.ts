import { afterEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { parseEventStream, type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as invoke } from "./invoke/route";
import { POST as stream } from "./stream/route";

let server: RunServer;
afterEach(() => server.close());

async function events(streaming: boolean) {
  server = await startRunServer([
    {
      reasoning: "I add.",
      text: "Let me see what that is.",
      calls: [{ name: "calculate", args: { expression: "6*7" } }],
    },
    { text: "It is forty-two, of course.", usage: { input: 70, cached: 20, output: 7 } },
  ]);
  const raw = { name: "Whole", model: "scripted:m", retries: 0, tools: ["calculate"], streaming };
  await createAgent(server.services, { agentId: "whole", raw, createdById: null });
  const call = { as: "member", params: { id: "whole" } } as const;
  const reply = await server.call(stream, { ...call, body: { messages: [{ role: "user", content: "go" }] } });
  return parseEventStream(await reply.text()).map(({ event, data }) => ({
    event,
    ...(data as { data?: object }).data,
  }));
}

test("with streaming: false there is one call and one chunk per reply, and the events are the same", async () => {
  const whole = await events(false);
  expect(server.provider.requests.map(({ body }) => body.stream ?? false)).toEqual([false, false]);
  const chunks = whole.flatMap((sent) => ("delta" in sent ? [sent.delta] : []));
  expect(chunks).toEqual(["Let me see what that is.", "It is forty-two, of course."]);
  await server.close();
  const streamed = await events(true);
  expect(server.provider.requests.every(({ body }) => body.stream === true)).toBe(true);
  const names = (all: typeof whole) => all.map(({ event }) => event).filter((name, at, list) => name !== list[at - 1]);
  expect(names(whole)).toEqual(names(streamed));
  const usage = (all: typeof whole) => all.flatMap((sent) => ("usage" in sent ? [sent.usage] : []));
  expect(usage(whole)).toEqual(usage(streamed));
});

test("a provider that fails without a stream fails the run with its own words", async () => {
  server = await startRunServer([{ fault: { status: 400, message: "no such model" } }]);
  const raw = { name: "Whole", model: "scripted:m", retries: 0, streaming: false };
  await createAgent(server.services, { agentId: "whole", raw, createdById: null });
  const body = { messages: [{ role: "user", content: "go" }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "whole" }, body });
  expect([reply.status, (await reply.json()).error.message]).toEqual([502, expect.stringContaining("no such model")]);
});
