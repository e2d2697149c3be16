import { afterEach, expect } from "vitest";
import { GET as events } from "@/app/api/runs/[runId]/events/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { parseEventStream, type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

/** The answers to each user message: one reply after the other, the last one repeated. */
export type Play = Readonly<Record<string, readonly ScriptedAnswer[]>>;

function playing(play: Play) {
  return ({ messages = [] }: ChatRequestBody): ScriptedAnswer => {
    const start = messages.findLastIndex(({ role }) => role === "user");
    const replies = messages.slice(start + 1).filter(({ role }) => role === "assistant").length;
    const script = play[textOf(messages[start]?.content)];
    return script?.[Math.min(replies, script.length - 1)] ?? { fault: { status: 400, message: "not in the script" } };
  };
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : ((content as { text: string }[])[0]?.text ?? "");
}

/** A call that gives `prompt` to a subagent, by default the worker. */
export const task = (prompt: string, more: object = {}) => ({
  name: "task",
  args: { agent: "worker", description: `Look: ${prompt}`, prompt, ...more },
});

/** The parent receives "go", the child "find it". */
export const DELEGATES: Play = {
  go: [{ calls: [task("find it")], usage: { input: 100, output: 10 } }, { text: "It is 42, I hear." }],
  "find it": [{ text: "I looked.\nIt is 42.", usage: { input: 1_000, output: 50 } }],
};

const BOSS: RawConfig = {
  name: "Boss",
  model: "scripted:m",
  retries: 0,
  backend: { type: "state" },
  subagents: ["worker", { name: "helper", description: "Helps", prompt: "You help.", tools: ["Read"] }, "boss"],
};

interface FollowedEvent {
  readonly event?: string;
  readonly error?: unknown;
  readonly output?: unknown;
  readonly [field: string]: unknown;
}

/** The texts of the tool results among a run's events. */
export const resultsOf = (sent: readonly FollowedEvent[]) =>
  sent.flatMap((event) => (event.event === "tool.result" ? [event.error ?? event.output] : []));

/** A server with the agents `boss`, who has subagents, and `worker`, and a thread between the member and the boss. */
async function startSubagentServer(play: Play, boss: Partial<RawConfig>) {
  const server: RunServer = await startRunServer(playing(play));
  const worker = { name: "Worker", description: "Works hard.", model: "scripted:m", retries: 0 };
  await createAgent(server.services, { agentId: "worker", raw: worker, createdById: null });
  await createAgent(server.services, { agentId: "boss", raw: { ...BOSS, ...boss }, createdById: null });
  const { id: threadId } = await createThread(server.services, { id: "member" }, "boss");
  const { database } = server;
  return {
    server,
    threadId,
    async say(content: string): Promise<string> {
      const reply = await server.call(send, { as: "member", params: { threadId }, body: { content } });
      expect(reply.status).toBe(202);
      return ((await reply.json()) as { runId: string }).runId;
    },
    /** The run's events once it has ended. */
    async follow(runId: string): Promise<FollowedEvent[]> {
      const reply = await server.call(events, { as: "member", params: { runId } });
      return parseEventStream(await reply.text()).map(({ event, data }) => ({
        ...(data as Record<string, unknown>),
        ...(event === undefined ? {} : { event }),
      }));
    },
    rowOf: (id: string) => database.run.findUniqueOrThrow({ where: { id } }),
    childrenOf: (parentRunId: string) => database.run.findMany({ where: { parentRunId }, orderBy: { id: "asc" } }),
  };
}

/** Shared by the tests of one file: a server per test, closed afterwards. `use()` returns that of the running test. */
export function subagentTests() {
  let started: Awaited<ReturnType<typeof startSubagentServer>> | null = null;
  const use = () => {
    if (started === null) throw new Error("start(play) comes first");
    return started;
  };
  afterEach(async () => {
    await started?.server.close();
    started = null;
  });
  return {
    use,
    start: async (play: Play, boss: Partial<RawConfig> = {}) => {
      started = await startSubagentServer(play, boss);
    },
    say: (content: string) => use().say(content),
    follow: (runId: string) => use().follow(runId),
    rowOf: (id: string) => use().rowOf(id),
    childrenOf: (runId: string) => use().childrenOf(runId),
  };
}
