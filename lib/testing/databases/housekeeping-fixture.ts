import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import { parseEnvironment, type Retention } from "@/lib/server/platform/env";
import { createRecorder, SpanBuffer } from "@/lib/server/traces/recorder";
import { runHousekeeping } from "@/lib/server/wiring/housekeeping";
import { eventsToEnd, runDatabase, say } from "@/lib/testing/fixtures/run-fixture";

export const DAY_MS = 86_400_000;

interface Place {
  readonly runId: string;
  readonly threadId?: string;
  readonly startedAt?: Date;
}

/** A database and a data directory, and what housekeeping deletes from them. Call it at a test file's top level. */
export function housekeepingInstallation() {
  const { database, startHost } = runDatabase();
  let dataDirectory: string;
  beforeEach(() => {
    dataDirectory = mkdtempSync(path.join(tmpdir(), "ringmaster-house-"));
  });
  afterEach(() => rmSync(dataDirectory, { recursive: true }));

  /** Housekeeping in so many days, with what differs from the default retention. */
  const after = (days: number, retention: Partial<Retention> = {}, agentTracesMs: Record<string, number | null> = {}) =>
    runHousekeeping(database(), {
      retention: { ...parseEnvironment({}, "/").retention, ...retention },
      agentTracesMs,
      nowMs: Date.now() + days * DAY_MS,
      pace: { rest: async () => true },
      dataDirectory,
    });

  async function addTrace(id: string, { runId, threadId = "th1", startedAt = new Date() }: Place): Promise<void> {
    const row = { id, runId, ownerId: "u1", threadId, agentId: "agent", agentVersionId: "v", agentVersion: 1 };
    await database().trace.create({ data: { ...row, status: "completed", startedAt } });
    const buffer = new SpanBuffer(database());
    const owner = { rootRunId: runId, threadId, ownerId: "u1", agentId: "agent", agentVersionId: "v", agentVersion: 1 };
    const recorder = createRecorder(buffer, { traceId: id, runId, rootId: "root", owner });
    recorder.recordEvent("e", {});
    recorder.endSteps(0);
    await database().call.create({
      data: {
        ...{ ...owner, runId, traceId: id, toolCallId: "c", step: 1, spanId: "s", tool: "t", kind: "other", gist: "" },
        ...{ argsHash: "h", annotations: "{}", aliases: "[]", status: "completed", startedAt },
      },
    });
    await buffer.flush();
  }

  /** Adds a message to the thread, a trace of one span and its own file; returns the folder that it has on disk. */
  async function talkIn(threadId: string): Promise<string> {
    const { runId } = await say(database(), "hello", { threadId });
    await eventsToEnd(database(), runId);
    const { traceId } = await database().run.findUniqueOrThrow({ where: { id: runId } });
    await addTrace(traceId, { runId, threadId });
    const { id, folder } = await requireWorkspace(database(), "thread", { agentId: "agent", ownerId: "u1", threadId });
    const bytes = new TextEncoder().encode(`a file of ${threadId}`);
    await createStateFileStore(database(), id).write("notes.md", bytes);
    const onDisk = path.join(dataDirectory, "workspaces", folder);
    mkdirSync(onDisk, { recursive: true });
    return onDisk;
  }

  return { database, startHost, after, addTrace, talkIn };
}

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
