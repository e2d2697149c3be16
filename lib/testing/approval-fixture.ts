import { afterAll, beforeAll, expect } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import type { InvokeReply } from "@/lib/schema/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "./run-server";
import type { ChatRequestBody } from "./scripted-openai-server";

/** The question that the agents' model asks. */
export const QUESTION = { questions: [{ question: "Which?", options: ["a", "b"] }] };

const writes = (paths: readonly string[]) => ({
  calls: paths.map((path) => ({ name: "write_file", args: { path, content: "hello" } })),
});

/** What the model does is written in the last user message, its steps separated by `;`. */
function script({ messages = [] }: ChatRequestBody) {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const steps = String(messages[index]?.content).split(";");
  const step = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
  const [verb, ...rest] = (steps[step] ?? "done").trim().split(" ");
  if (verb === "write") return writes(rest);
  if (verb === "edit") return { calls: [{ name: "edit_file", args: { path: rest[0], old_text: "a", new_text: "b" } }] };
  if (verb === "ask") return { calls: [{ name: "ask_user", args: QUESTION }] };
  if (verb === "question") {
    const questions = Array.from({ length: Number(rest[0]) }, (_, index) => ({ question: `Question ${index + 1}?` }));
    return { calls: [{ name: "ask_user", args: { questions } }] };
  }
  if (verb === "all") return { calls: [...writes(rest).calls, { name: "ask_user", args: QUESTION }] };
  if (verb === "both") {
    return { calls: [...writes(["both.txt"]).calls, { name: "calculate", args: { expression: "6*7" } }] };
  }
  return { text: "done" };
}

/** A server for one test file, with an agent `asks` whose rules ask before write_file, and `plans` in plan mode. */
export function approvalServer() {
  let started: RunServer | null = null;
  let threads = 0;
  const server = (): RunServer => {
    if (!started) throw new Error("The server exists only within a test.");
    return started;
  };
  beforeAll(async () => {
    started = await startRunServer(script);
    const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: ["ask_user", "calculate"] };
    const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"], deny: ["Edit"] };
    await createAgent({ agentId: "asks", raw: { ...base, name: "Asks", permissions }, createdById: null });
    const plan = { enabled: true, mode: "plan" };
    await createAgent({ agentId: "plans", raw: { ...base, name: "Plans", permissions: plan }, createdById: null });
  });
  afterAll(() => started?.close());
  return {
    server,
    newThread: () => `t${++threads}`,
    /** Sends a message as `member` and waits for the run to end or to wait. */
    async say(content: string, thread: string, agent = "asks"): Promise<InvokeReply> {
      const body = { messages: [{ role: "user", content }], thread_id: thread };
      const reply = await server().call(invoke, { as: "member", params: { id: agent }, method: "POST", body });
      expect(reply.status).toBe(200);
      return reply.json();
    },
    decideOn: (thread: string, decisions: readonly object[], extra: object = {}): Promise<Response> =>
      server().call(resume, {
        as: "member",
        params: { id: "asks" },
        method: "POST",
        path: "/agents/asks/resume",
        body: { thread_id: thread, decisions, ...extra },
      }),
    /** What the model was sent last. */
    lastMessages: () => server().provider.requests.at(-1)?.body.messages ?? [],
  };
}

export const idsOf = (reply: InvokeReply) => reply.interrupts.map(({ tool_call_id: id }) => id);
