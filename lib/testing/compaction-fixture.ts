import { vi } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as threadState } from "@/app/agents/[id]/threads/[threadId]/route";
import type { AgentConfigInput } from "@/lib/schema/agent-config";
import type { AgentState } from "@/lib/schema/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "./run-server";
import type { ScriptedAnswer } from "./scripted-openai-events";
import type { ChatRequestBody, ChatRequestMessage } from "./scripted-openai-server";

/** Every automatic feature that a test of compaction is not about, switched off. */
const QUIET = {
  model: "scripted:m",
  retries: 0,
  guard: { mode: "off" },
  pruning: { enabled: false },
  summarization: { enabled: false },
  memory_flush: { enabled: false },
} as const;

export type Answer = (request: ChatRequestBody) => ScriptedAnswer | Promise<ScriptedAnswer>;
type Kind = "turn" | "summary" | "flush";

export interface Conversation {
  readonly server: RunServer;
  /** The row of the thread `t`. */
  thread(): ReturnType<RunServer["database"]["thread"]["findFirstOrThrow"]>;
  say(content: string): Promise<Response>;
  /** Says `question <n>`, counting on. */
  turns(count: number): Promise<void>;
  state(): Promise<AgentState>;
  /** Resolves when nothing is running any more and the thread has been compacted `count` times. */
  compacted(count: number): Promise<void>;
  /** Requests of that kind so far, as the provider got them. */
  requests(kind: Kind): ChatRequestBody[];
}

/** A thread `t` of the user `member` with an agent whose model answers turns, summaries and flushes as specified. */
export async function startConversation(
  config: Partial<AgentConfigInput>,
  answers: Partial<Record<Kind, Answer>> = {},
): Promise<Conversation> {
  const server = await startRunServer((request) => {
    const kind = kindOf(request);
    return answers[kind]?.(request) ?? { text: { turn: "fine", summary: "They talked.", flush: "NO_REPLY" }[kind] };
  });
  await createAgent({ agentId: "talker", raw: { name: "Talker", ...QUIET, ...config }, createdById: null });
  const params = { id: "talker" };
  let asked = 0;
  const thread = () => server.database.thread.findFirstOrThrow({ where: { clientId: "t" } });
  const say = (content: string) => {
    const body = { thread_id: "t", messages: [{ role: "user", content }] };
    return server.call(invoke, { as: "member", params, body });
  };
  return {
    server,
    thread,
    say,
    async turns(count) {
      for (let turn = 1; turn <= count; turn += 1) await say(`question ${++asked}`);
    },
    async state() {
      const reply = await server.call(threadState, { as: "member", params: { ...params, threadId: "t" } });
      return (await reply.json()) as AgentState;
    },
    async compacted(count) {
      await vi.waitUntil(
        async () => {
          const { compactionCount, compactionOwner } = await thread();
          return compactionCount === count && compactionOwner === null;
        },
        { timeout: 30_000, interval: 5 },
      );
    },
    requests: (kind) => server.provider.requests.map(({ body }) => body).filter((body) => kindOf(body) === kind),
  };
}

/** `role: text` of what a request carried, its system prompt left out. */
export function saidIn(request: ChatRequestBody | undefined): string[] {
  return (request?.messages ?? []).filter(({ role }) => role !== "system").map(describe);
}

export function textOf({ content }: ChatRequestMessage): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

function describe(message: ChatRequestMessage): string {
  return `${message.role}: ${textOf(message)}`;
}

function kindOf({ messages = [] }: ChatRequestBody): Kind {
  const texts = messages.map(textOf);
  if (texts.some((text) => text.includes("<conversation>"))) return "summary";
  return texts.some((text) => text.includes("answer NO_REPLY")) ? "flush" : "turn";
}
