import { afterEach, beforeEach, vi } from "vitest";
import type { Hook } from "@/lib/agent/hook";
import type { ModelPort } from "@/lib/agent/model";
import type { Tool } from "@/lib/agent/tool";
import type { AgentConfigInput } from "@/lib/schema/agent-config";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { type AcceptedRun, type RunRequest, startRun } from "@/lib/server/engine/accept";
import { RunHost } from "@/lib/server/engine/host";
import type { SegmentTrace } from "@/lib/server/engine/ports";
import { loadHistory } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { followRun } from "@/lib/server/views/follow-run";
import { historyHooks } from "@/lib/server/wiring/history-hooks";
import { createTestDatabase, type TestDatabase } from "./test-database";

/** A test's own database with hosts that are stopped at its end: call it in a test file's top level or in a suite. */
export function runDatabase() {
  let testDatabase: TestDatabase | null = null;
  const hosts: RunHost[] = [];
  const database = (): Database => {
    if (!testDatabase) throw new Error("The database exists only within a test.");
    return testDatabase.database;
  };
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop();
    await testDatabase?.close();
  });
  return {
    database,
    /** For another process or client. */
    url: () => testDatabase?.url ?? "",
    async startHost(parts: HostParts): Promise<RunHost> {
      const host = testHost(database(), parts);
      hosts.push(host);
      await host.start();
      return host;
    },
    history: async () => (await loadHistory(database(), "th1")).map(({ role, content }) => `${role}: ${content}`),
    statusOf: async (id: string) => (await database().run.findUniqueOrThrow({ where: { id } })).status,
  };
}

/** Resolves when `check` holds; the test fails when it does not within 5 s. */
export function reached(check: () => Promise<boolean> | boolean): Promise<unknown> {
  return vi.waitUntil(check, { timeout: 30_000, interval: 5 });
}

const NO_TRACE: SegmentTrace = {
  recorder: {
    startSpan: () => ({ id: "sp_test", set: () => undefined, end: () => undefined }),
    recordEvent: () => undefined,
    keepText: () => "",
    keepMessage: () => "",
  },
  end: () => undefined,
  suspend: async () => undefined,
};

/** Rows that a run needs: a user, an agent with one version, a thread. */
export async function seedThread(database: Database, config: Partial<AgentConfigInput> = {}): Promise<void> {
  await database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await addAgent(database, "agent", { name: "Test agent", model: "scripted:test", ...config });
  await addThread(database, "th1");
}

/** An agent with one version, the current one; the config as it is given, without defaults. */
export async function addAgent(database: Database, id: string, config: AgentConfigInput): Promise<void> {
  const version = { id: `av_${crypto.randomUUID()}`, number: 1, config: JSON.stringify(config), configHash: "x" };
  await database.agent.create({ data: { id, versions: { create: version } } });
  await database.agent.update({ where: { id }, data: { currentVersionId: version.id } });
}

export async function addThread(database: Database, id: string, place: Partial<ThreadPlace> = {}): Promise<void> {
  await database.thread.create({ data: { id, ownerId: "u1", agentId: "agent", clientId: id, ...place } });
}

interface ThreadPlace {
  readonly ownerId: string;
  readonly agentId: string;
}

interface HostParts {
  readonly model: ModelPort;
  readonly tools?: readonly Tool[];
  readonly hooks?: readonly Hook[];
  readonly maxRuns?: number;
  readonly leaseMs?: number;
  readonly renewMs?: number;
}

/** A host whose runs all use the given model, tools and hooks; not started. */
export function testHost(database: Database, { model, tools = [], hooks = [], ...settings }: HostParts): RunHost {
  return new RunHost({
    database,
    versionOfRun,
    build: async () => ({ system: [], model, tools, hooks }),
    historyHooks,
    traces: { ...tracePort(database, new SpanBuffer(database)), open: async () => NO_TRACE },
    ...settings,
  });
}

/** Sends `text` to the thread as its owner. */
export function say(database: Database, text: string, request: Partial<RunRequest> = {}): Promise<AcceptedRun> {
  return startRun(database, {
    ownerId: "u1",
    threadId: "th1",
    agentId: "agent",
    messages: [{ role: "user", content: text }],
    ...request,
  });
}

/** Every row of the run until its end. */
export async function eventsToEnd(database: Database, runId: string): Promise<StoredRunEvent[]> {
  const rows: StoredRunEvent[] = [];
  for await (const batch of followRun(database, runId, 0, new AbortController().signal)) rows.push(...batch);
  return rows;
}
