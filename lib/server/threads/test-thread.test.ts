import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PUT as upload } from "@/app/agents/[id]/files/upload/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { PUT as saveDraft } from "@/app/api/agents/[agentId]/draft/route";
import { PUT as savePromptFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { GET as listFiles } from "@/app/api/threads/[threadId]/files/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { GET as getThread } from "@/app/api/threads/[threadId]/route";
import { POST as createThread, GET as listThreads } from "@/app/api/threads/route";
import { GET as getTrace } from "@/app/api/traces/[traceId]/route";
import { GET as listTraces } from "@/app/api/traces/route";
import { GET as usage } from "@/app/api/usage/route";
import { publishChange } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

describe("a test thread", () => {
  let server: RunServer;
  let script: ScriptedAnswer[];
  beforeEach(async () => {
    script = [
      { text: "one", calls: [{ name: "write_file", args: { path: "/workspace/new.txt", content: "new" } }] },
      { text: "two" },
      { text: "three" },
      { text: "four" },
    ];
    server = await startRunServer(script);
  });
  afterEach(() => server.close());

  const params = { agentId: "coder" };
  const draft = async (system_prompt: string, revision: number, more: object = {}) => {
    const config = {
      name: "Coder",
      model: "scripted:m",
      retries: 0,
      backend: { type: "state" },
      system_prompt,
      ...more,
    };
    const reply = await server.call(saveDraft, { as: "admin", method: "PUT", params, body: { config, revision } });
    return (await reply.json()).revision as number;
  };
  const open = (body: object = {}) =>
    server.call(createThread, { as: "admin", body: { agentId: "coder", draft: true, ...body } });
  const opened = async (body: object = {}) => (await open(body)).json();
  const say = (threadId: string, content: string) =>
    server.call(send, { as: "admin", params: { threadId }, body: { content } });
  const ended = async (runId: string) => {
    const run = async () => (await server.call(getRun, { as: "admin", params: { runId } })).json();
    await expect.poll(async () => (await run()).endedAt).not.toBeNull();
    return run();
  };
  const run = async (threadId: string, content: string) => ended((await (await say(threadId, content)).json()).runId);
  const systemTexts = () => server.provider.requests.map(({ body }) => body.messages?.[0]?.content);
  const hidden = () => server.database.agentVersion.findMany({ where: { number: null } });
  const namesIn = async (threadId: string) => {
    const reply = await server.call(listFiles, { as: "admin", params: { threadId } });
    return (await reply.json()).entries.map(({ name }: { name: string }) => name);
  };

  test("uses the draft as it is at each start, and its runs and traces say so", async () => {
    const { id, draft: isTest } = await opened();
    expect(isTest).toBe(true);
    await draft("You code in verse.", 0, { backend: null });
    const first = await run(id, "hi");
    expect(first).toMatchObject({ version: "draft", status: "completed" });
    await draft("You code in prose.", 1, { backend: null });
    await run(id, "again");
    expect(systemTexts()).toEqual(["You code in verse.", "You code in verse.", "You code in prose."]);
    const trace = await (await server.call(getTrace, { as: "admin", params: { traceId: first.traceId } })).json();
    expect(trace).toMatchObject({ agentVersion: "draft" });
    expect(trace.spans[0].attributes).toMatchObject({ agent_version: "draft", draft_revision: 1 });
    expect((await hidden()).map(({ draftRevision }) => draftRevision)).toEqual([1, 2]);
    const { messages } = await (await server.call(getThread, { as: "admin", params: { threadId: id } })).json();
    const answers = messages.filter(({ role }: { role: string }) => role === "assistant");
    expect(answers.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
      { draftRevision: 1 },
      { draftRevision: 2 },
    ]);
  });

  test("keeps the same text once, whichever revision says it", async () => {
    const { id } = await opened();
    await draft("A", 0);
    await run(id, "1");
    await draft("B", 1);
    await draft("A", 2);
    await run(id, "2");
    expect((await hidden()).map(({ draftRevision }) => draftRevision)).toEqual([1]);
    await server.call(savePromptFiles, { as: "admin", method: "PUT", params, body: { files: { "SOUL.md": "Calm." } } });
    await run(id, "3");
    expect(await hidden()).toHaveLength(2);
  });

  test("runs what is published while there is no draft", async () => {
    const { id } = await opened();
    expect(await run(id, "hi")).toMatchObject({ version: "draft" });
    expect(systemTexts()[0]).toBe("You code.");
  });

  test("is in no list, search or usage, and its trace is listed only where drafts are asked for", async () => {
    const { id } = await opened();
    await run(id, "needle");
    const lists = async (path: string) => (await server.call(listThreads, { as: "admin", path })).json();
    expect([(await lists("/")).threads, (await lists("/?q=needle")).threads]).toEqual([[], []]);
    const traces = async (path: string) => (await (await server.call(listTraces, { as: "admin", path })).json()).traces;
    expect([(await traces("/")).length, (await traces("/?drafts=true")).length]).toEqual([0, 1]);
    const report = await (await server.call(usage, { as: "admin", path: "/?by=agent" })).json();
    expect(report.rows).toEqual([]);
    expect(await (await server.call(getThread, { as: "admin", params: { threadId: id } })).json()).toMatchObject({
      draft: true,
    });
  });

  test("works on a copy of the agent's files, and leaves those alone", async () => {
    const own = await (await server.call(createThread, { as: "admin", body: { agentId: "coder" } })).json();
    const put = (path: string) =>
      server.call(upload, { as: "admin", method: "PUT", params: { id: "coder" }, body: { path, content: "a" } });
    await put("notes/a.md");
    const { id } = await opened();
    await run(id, "write");
    expect((await namesIn(id)).toSorted()).toEqual(["new.txt", "notes"]);
    expect(await namesIn(own.id)).toEqual(["notes"]);
    await put("late.md");
    await run(id, "again");
    expect((await namesIn(id)).toSorted()).toEqual(["new.txt", "notes"]);
  });

  test("lets no subagent touch the files of other threads either", async () => {
    const child = { model: "scripted:m", retries: 0, name: "Plain", backend: { type: "state" } };
    await publishChange(server.services, "plain", () => child, { createdById: null });
    await draft("Delegate.", 0, { subagents: ["plain"], tools: [] });
    const { id } = await opened();
    script.splice(
      0,
      script.length,
      { text: "", calls: [{ name: "task", args: { agent: "plain", description: "Write", prompt: "Write it." } }] },
      { text: "", calls: [{ name: "write_file", args: { path: "/workspace/child.txt", content: "c" } }] },
      { text: "written" },
      { text: "done" },
    );
    await run(id, "go");
    const written = await server.database.fileVersion.findMany({ include: { workspace: true } });
    expect(written.map(({ path, workspace }) => [path, workspace.agentId, workspace.threadId])).toEqual([
      ["child.txt", "plain", id],
    ]);
    const threads = await server.database.thread.findMany({ where: { parentThreadId: id } });
    expect(threads.map(({ isTest }) => isTest)).toEqual([true]);
  });

  test("starts with what another run was asked", async () => {
    const reply = await server.call(invoke, {
      as: "member",
      params: { id: "coder" },
      body: { messages: [{ role: "user", content: "What is wrong?" }] },
    });
    const { run_id: fromRunId } = await reply.json();
    await draft("You know.", 0);
    const { id, activeRunId } = await opened({ fromRunId });
    await ended(activeRunId);
    const detail = await (await server.call(getThread, { as: "admin", params: { threadId: id } })).json();
    expect(detail.messages[0].parts[0].text).toBe("What is wrong?");
    expect(systemTexts().at(-1)).toBe("You know.");
    expect((await open({ fromRunId: "run_none" })).status).toBe(404);
    expect((await open({ fromRunId, draft: false })).status).toBe(400);
    expect((await open({ fromRunId, agentId: "plain" })).status).toBe(409);
  });

  test("does not run an invalid draft, and says what is wrong with it", async () => {
    const { id } = await opened();
    await server.call(saveDraft, {
      as: "admin",
      method: "PUT",
      params,
      body: { yaml: "name: A\nmax_tokens: -1\n", revision: 0 },
    });
    const refused = await say(id, "hi");
    expect([refused.status, (await refused.json()).error.details]).toMatchObject([
      400,
      [{ path: "max_tokens", line: 2 }],
    ]);
  });

  test("is for admins, also by a key that was given less", async () => {
    const body = { agentId: "coder", draft: true };
    expect((await server.call(createThread, { as: "member", body })).status).toBe(403);
    const key = await server.addKey("admin", ["read", "chat"]);
    expect((await server.call(createThread, { key, body })).status).toBe(403);
    const { id } = await opened();
    expect((await server.call(send, { key, params: { threadId: id }, body: { content: "hi" } })).status).toBe(403);
    expect((await server.call(send, { as: "member", params: { threadId: id }, body: { content: "hi" } })).status).toBe(
      404,
    );
    const named = { messages: [{ role: "user", content: "hi" }], thread_id: id };
    expect((await server.call(invoke, { as: "admin", params: { id: "coder" }, body: named })).status).toBe(409);
  });
});
