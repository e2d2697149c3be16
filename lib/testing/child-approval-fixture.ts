import { afterAll, beforeAll, expect } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import type { InvokeReply } from "@/lib/schema/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "./run-server";
import type { ScriptedAnswer } from "./scripted-openai-events";
import type { ChatRequestBody } from "./scripted-openai-server";

const task = (prompt: string, more: object = {}) => ({
  name: "task",
  args: { agent: "writer", description: prompt, prompt, ...more },
});
const write = (path: string) => ({ name: "write_file", args: { path, content: "hello" } });

/** The parent's message names its subagents' messages; a subagent's message names the files that it writes. */
function script({ messages = [] }: ChatRequestBody): ScriptedAnswer {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const { content } = messages[index] ?? {};
  const text = typeof content === "string" ? content : ((content as { text: string }[])[0]?.text ?? "");
  const step = messages.slice(index + 1).filter(({ role }) => role === "assistant").length;
  const [verb = "", rest = ""] = text.split(/: (.*)/s, 2);
  const steps = rest.split("; ");
  const now = steps[step];
  if (!now) return { text: `${verb} is done` };
  if (verb === "delegate") return { calls: now.split(" + ").map((prompt) => task(prompt.replace("=", ": "))) };
  if (verb === "background") return { calls: [task(now.replace("=", ": "), { background: true })] };
  return { calls: now.split(" ").map(write) };
}

/** A server with the agent `boss`, whose subagent `writer` needs an approval for every file; both ask before write_file. */
export function childApprovalServer() {
  let started: RunServer | null = null;
  let threads = 0;
  const server = (): RunServer => {
    if (!started) throw new Error("The server exists only within a test.");
    return started;
  };
  const asMember = (id: string, body: object, path = "/") =>
    ({ as: "member", params: { id }, method: "POST", path, body }) as const;
  beforeAll(async () => {
    started = await startRunServer(script);
    const base = { model: "scripted:m", retries: 0, backend: { type: "state" } };
    const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
    await createAgent({ agentId: "writer", raw: { ...base, name: "Writer", permissions }, createdById: null });
    const boss = { ...base, name: "Boss", subagents: ["writer"], permissions };
    await createAgent({ agentId: "boss", raw: boss, createdById: null });
  });
  afterAll(() => started?.close());
  return {
    server,
    newThread: () => `c${++threads}`,
    async say(content: string, thread: string): Promise<InvokeReply> {
      const body = { messages: [{ role: "user", content }], thread_id: thread };
      const reply = await server().call(invoke, asMember("boss", body));
      expect(reply.status).toBe(200);
      return reply.json();
    },
    resume: (thread: string, decisions: readonly object[], extra: object = {}): Promise<Response> =>
      server().call(
        resume,
        asMember("boss", { thread_id: thread, decisions, ...extra }, "/agents/boss/resume?format=run"),
      ),
    asMember,
  };
}
