import { afterEach, beforeEach, expect, vi } from "vitest";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { GET as stream } from "@/app/api/threads/[threadId]/stream/route";
import type { Role } from "@/lib/schema/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { countEvents, readStream, type StreamReader } from "./read-thread-stream";
import { type RunServer, startRunServer } from "./run-server";

interface Reader {
  readonly cursor?: string;
  readonly key?: string;
  readonly as?: Role;
}

/**
 * A server per test with a thread of `member`, whose model answers "Answer to <text>."; "write" calls `write_file`
 * first, for which the agent `asks` needs an approval; "slow" waits for `gate`.
 */
export function threadStreamTests() {
  let server: RunServer;
  let threadId: string;
  let gate: PromiseWithResolvers<void>;
  const open: StreamReader[] = [];

  beforeEach(async () => {
    gate = Promise.withResolvers();
    server = await startRunServer(({ messages = [] }) => {
      const index = messages.findLastIndex(({ role }) => role === "user");
      const asked = String(messages[index]?.content);
      if (asked === "write" && messages.length === index + 1) {
        return { text: "On it.", calls: [{ name: "write_file", args: { path: "a.txt", content: "hello" } }] };
      }
      return { text: ["Answer ", `to ${asked}.`], ...(asked === "slow" ? { gate: gate.promise } : {}) };
    });
    const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
    const asks = { name: "Asks", model: "scripted:m", backend: { type: "state" }, permissions };
    await createAgent({ agentId: "asks", raw: asks, createdById: null });
    threadId = (await createThread("member", "coder")).id;
  });

  afterEach(async () => {
    gate.resolve();
    for (const reader of open.splice(0)) await reader.close();
    await server.close();
    vi.useRealTimers();
  });

  return {
    server: () => server,
    threadId: () => threadId,
    openGate: () => gate.resolve(),
    /** From now on the tests are about another thread. */
    useThread: (id: string) => {
      threadId = id;
    },
    async say(content: string, more: object = {}): Promise<string> {
      const reply = await server.call(send, { as: "member", params: { threadId }, body: { content, ...more } });
      expect(reply.status).toBe(202);
      return ((await reply.json()) as { runId: string }).runId;
    },
    async follow({ cursor, ...who }: Reader = {}): Promise<StreamReader> {
      const headers: Record<string, string> = cursor === undefined ? {} : { "last-event-id": cursor };
      const reply = await server.call(stream, { ...{ as: "member", ...who }, params: { threadId }, headers });
      expect(reply.status).toBe(200);
      const reader = readStream(reply);
      open.push(reader);
      return reader;
    },
  };
}

/** Whether so many runs have ended in the stream. */
export const ends =
  (count: number) =>
  (events: StreamReader["events"]): boolean =>
    countEvents(events, "run-end") === count;

/** The frames and, between them, what the model said. */
export function outline({ events }: StreamReader): string[] {
  const lines: string[] = [];
  for (const { event, data } of events) {
    if (event !== undefined) lines.push(`${event} ${data}`);
    const delta = event === undefined ? (JSON.parse(data) as { delta?: string }).delta : undefined;
    if (delta === undefined) continue;
    if (lines.at(-1)?.startsWith("text ")) lines.push(`${lines.pop()}${delta}`);
    else lines.push(`text ${delta}`);
  }
  return lines;
}

export const started = (runId: string) => `run-start {"runId":"${runId}"}`;
export const ended = (status = "completed") => `run-end {"status":"${status}"}`;
