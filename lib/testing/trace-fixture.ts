import type { TestServer } from "./test-server";

export const START = Date.parse("2026-11-20T12:00:00Z");

export interface TraceSeed {
  status?: string;
  owner?: string;
  error?: string;
  cancelledBy?: string;
  minute?: number;
  model?: string;
  /** The run has not ended: no end and no figures yet. */
  open?: boolean;
}

/** A run of `owner` with the agent `writer`, and its trace, begun `minute` minutes after noon of 20 November 2026. */
export async function addTrace(
  server: TestServer,
  name: string,
  { status = "completed", owner = "member", minute = 0, ...rest }: TraceSeed = {},
) {
  const { database } = server;
  const { id: agentVersionId } = await database.agentVersion.findFirstOrThrow();
  const shared = { ownerId: owner, threadId: `th_${name}`, agentId: "writer", agentVersionId, status };
  const startedAt = new Date(START + minute * 60_000);
  const usage = rest.open ? {} : { steps: 2, inputTokens: 100, outputTokens: 7, costUsd: 0.5 };
  await database.thread.create({
    data: { id: `th_${name}`, ownerId: owner, agentId: "writer", clientId: `client-${name}` },
  });
  const input = JSON.stringify({ messages: [{ id: "m1", role: "user", content: "Go" }], transcriptPosition: 1 });
  await database.run.create({
    data: {
      id: `run_${name}`,
      traceId: `tr_${name}`,
      input,
      assistantMessageId: "am",
      cancelledBy: rest.cancelledBy,
      startedAt,
      ...shared,
      ...usage,
    },
  });
  await database.trace.create({
    data: {
      id: `tr_${name}`,
      runId: `run_${name}`,
      agentVersion: 1,
      title: `About ${name}`,
      error: rest.error,
      model: rest.open ? null : (rest.model ?? "demo:ringmaster"),
      startedAt,
      endedAt: rest.open ? null : new Date(startedAt.getTime() + 1500),
      ...shared,
      ...usage,
    },
  });
}

export async function addSpan(
  server: TestServer,
  name: string,
  id: string,
  attributes: Record<string, unknown>,
  type = "llm",
) {
  await server.database.span.create({
    data: {
      id,
      traceId: `tr_${name}`,
      runId: `run_${name}`,
      type,
      name: `${type}.call`,
      status: "completed",
      attributes: JSON.stringify(attributes),
      startedAt: new Date(START),
      endedAt: new Date(START + 40),
    },
  });
}

const readCall = (id: string, toolName: string) => ({
  id,
  name: toolName,
  args: { path: "a.txt" },
  rawArgs: '{"path":"a.txt"}',
});

/** An earlier exchange of the thread, then a run with two model calls and a tool between them. */
export async function addMessages(server: TestServer, name: string) {
  const base = { threadId: `th_${name}`, createdAt: new Date(START - 1000) };
  const own = { ...base, runId: `run_${name}` };
  await server.database.message.createMany({
    data: [
      { ...base, runId: "run_before", id: "h1", position: 1, role: "user", content: "Before" },
      { ...base, runId: "run_before", id: "h2", position: 2, role: "assistant", content: "Earlier answer" },
      { ...own, id: "m1", position: 3, role: "user", content: "Go" },
      {
        ...own,
        id: "m2",
        position: 4,
        role: "assistant",
        content: "",
        toolCalls: JSON.stringify([readCall("c1", "read_file")]),
      },
      { ...own, id: "m3", position: 5, role: "tool", content: "text of a", toolCallId: "c1", name: "read_file" },
      { ...own, id: "m4", position: 6, role: "assistant", content: "Done" },
    ],
  });
}
