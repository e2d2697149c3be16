import { afterEach, expect, it } from "vitest";
import type { SentChanges } from "@/lib/agent/model";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { Message } from "@/lib/schema/messages/message";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type RecordingServer, startRecordingServer } from "@/lib/testing/servers/recording-server";

let server: RecordingServer;
afterEach(() => server.close());

const call = (id: string) => ({ id, name: "ls", args: { path: id }, rawArgs: "{}" });
const result = (id: string): Message => ({ role: "tool", toolCallId: id, name: "ls", content: `found ${id}` });
const HISTORY: readonly Message[] = [
  { role: "user", content: "Look everywhere" },
  { role: "assistant", content: "I look.", toolCalls: [call("1"), call("2")], reasoning: [{ text: "Where?" }] },
  result("1"),
  result("2"),
  { role: "assistant", content: "", toolCalls: [call("3")] },
  result("3"),
  { role: "assistant", content: "Nothing there.", toolCalls: [] },
  { role: "user", content: "And?" },
];
/** The history lengths of a run's model calls, with a retry of one call, and one call between results. */
const LENGTHS = [1, 4, 4, 5, 3, 6, 8];
const DONE = { id: "c", choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] };

function openPort() {
  const connection = { apiKey: null, baseUrl: server.url };
  const settings = providerSettings({ openaiCompatible: connection, ollama: connection });
  const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
  const registry = createModelRegistry(settings);
  return (spec: string) => registry.resolve(spec, { fallbacks: [], retries: 0, timeouts, replyLimits: REPLY_LIMITS });
}

const ask = (port: ReturnType<ReturnType<typeof openPort>>, messages: readonly Message[]) =>
  port.call({ ...USER_REQUEST, messages }, { signal: new AbortController().signal });

it.each(["openai-compatible:m", "ollama:m"])(
  "%s is sent a growing history as if each call were the first",
  async (spec) => {
    server = await startRecordingServer([DONE]);
    const port = openPort()(spec);
    for (const length of LENGTHS) await ask(port, HISTORY.slice(0, length));
    const grown = server.bodies.splice(0);
    for (const length of LENGTHS) await ask(openPort()(spec), structuredClone(HISTORY.slice(0, length)));
    expect(grown).toEqual(server.bodies);
    expect(JSON.stringify(grown)).not.toContain("ringmaster");
    expect(grown.map((body) => (body as { messages: unknown[] }).messages.length)).toEqual([2, 5, 5, 6, 4, 7, 9]);
  },
);

it("concurrent calls of several runs keep their own histories", async () => {
  server = await startRecordingServer([DONE]);
  const port = openPort()("openai-compatible:m");
  const histories = ["a", "b", "c"].map((name): Message[] => [{ role: "user", content: name }, result(name)]);
  await Promise.all(histories.map((messages) => ask(port, messages.slice(0, 1))));
  await Promise.all(histories.map((messages) => ask(port, messages)));
  const sent = server.bodies.map((body) =>
    (body as { messages: { content: string }[] }).messages.map((m) => m.content),
  );
  const second = sent.slice(3).map((contents) => contents.slice(1).join());
  expect(second.sort()).toEqual(["a,found a", "b,found b", "c,found c"]);
});

it("tells what a strict server's traits have made of the messages", async () => {
  server = await startRecordingServer([DONE]);
  const traits = { roles: "strict", ids: "nine", systemRole: "user" } as const;
  const own = [
    {
      ...{ id: "own", kind: "openai-compatible" as const, name: "Own", baseUrl: server.url, apiKey: null },
      ...{ models: [{ id: "m", traits }], allowedRoles: [], problem: null },
    },
  ];
  const port = createModelRegistry({ ...providerSettings(), own }).resolve("own:m", {
    ...{ fallbacks: [], retries: 0, timeouts: { model_ms: 20_000, idle_ms: 10_000 } },
    replyLimits: REPLY_LIMITS,
  });
  const told: SentChanges[] = [];
  const people: Message[] = [
    { role: "user", content: "Stop" },
    { role: "user", content: "Go on" },
  ];
  await port.call(
    { ...USER_REQUEST, system: [{ name: "own", text: "Be brief." }], messages: [...HISTORY.slice(0, 4), ...people] },
    { signal: new AbortController().signal, onSent: (changes) => void told.push(changes) },
  );
  expect(told.at(-1)).toEqual({
    left_out: { thoughts: 1, older_pictures: 0 },
    rewritten: { turns_merged: 1, turns_added: 1, call_ids: 2, system_as: "user" },
  });
});
