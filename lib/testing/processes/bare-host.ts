import { setTimeout as sleep } from "node:timers/promises";
import type { ModelPort } from "@/lib/agent/model";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE, type Usage } from "@/lib/schema/runs/usage";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { startRun } from "@/lib/server/engine/accept";
import { offeredDelegates } from "@/lib/server/engine/children/offered-delegates";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import { RunHost } from "@/lib/server/engine/host";
import { runSubagents } from "@/lib/server/engine/run-subagents";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { offeredTaskTools } from "@/lib/server/tools/task-tools";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { historyHooks } from "@/lib/server/wiring/history-hooks";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";

type Build = ConstructorParameters<typeof RunHost>[0]["build"];

interface Place {
  readonly ownerId: string;
  readonly threadId: string;
  readonly agentId: string;
}

/**
 * A started host with a process to itself: it stores spans as the server does, and takes over the runs of dead
 * processes.
 */
export async function startBareHost(database: Database, build: Build) {
  const spans = new SpanBuffer(database);
  const traces = tracePort(database, spans);
  const host = new RunHost({ database, versionOfRun, historyHooks, build, traces, beatMs: 250 });
  await takeJobsOfDeadWorkers(database);
  await host.start();
  return {
    /** Starts a run and prints its id. */
    async begin(place: Place, content = "Go"): Promise<void> {
      const { runId } = await startRun(database, { ...place, messages: [{ role: "user", content }] });
      process.stdout.write(`${runId}\n`);
    },
    async untilIdle(): Promise<void> {
      while ((await database.run.count({ where: { endedAt: null } })) > 0) await sleep(5);
    },
    /** Stores the spans, calls and steps that wait for their batch. */
    flush: () => spans.flush(),
    async close(): Promise<void> {
      await host.stop();
      await spans.flush();
      await database.close();
    },
  };
}

/** Builds runs with the given parts that can also delegate to the agent's subagents. */
export function buildWithSubagents(database: Database, parts: Omit<Awaited<ReturnType<Build>>, "system">): Build {
  return async (run, version) => {
    const [offered, delegates] = await Promise.all([
      offeredSubagents(database, version.config, EVERY_AGENT),
      offeredDelegates(database, version.config, EVERY_AGENT),
    ]);
    const subagents = runSubagents(database, run, version, { offered, delegates });
    const tools = [...parts.tools, ...offeredTaskTools(version.config, subagents, () => null)];
    return { system: [], ...parts, tools };
  };
}

interface Delegation {
  /** The prompt that the parent gives its subagent `worker`. */
  readonly prompt: string;
  /** The subagent's only call. */
  readonly call: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  /** Another agent to delegate to, instead of the subagent. */
  readonly delegate?: string | undefined;
  readonly usage?: Usage;
  readonly beforeChildAnswers?: () => Promise<void>;
}

/** The parent delegates once and its subagent makes one call; then each says that it is done. */
export function delegatingModel({
  prompt,
  call,
  delegate,
  usage = NO_USAGE,
  beforeChildAnswers,
}: Delegation): ModelPort {
  const task = delegate
    ? { name: "delegate", args: { agent: delegate, task: prompt } }
    : { name: "task", args: { agent: "worker", description: prompt, prompt } };
  const reply = { reasoning: [], usage, model: "scripted:delegating", timeToFirstTokenMs: 0 };
  return {
    name: reply.model,
    async call({ messages }): Promise<ModelReply> {
      const isChild = messages[0]?.content === prompt;
      if (messages.every(({ role }) => role !== "assistant")) {
        const { name, args } = isChild ? call : task;
        const toolCalls = [{ id: "call_1", name, args, rawArgs: JSON.stringify(args) }];
        return { ...reply, content: "", toolCalls, finishReason: "tool-calls" };
      }
      if (isChild) await beforeChildAnswers?.();
      return { ...reply, content: `${isChild ? "child" : "parent"} done`, toolCalls: [], finishReason: "stop" };
    },
  };
}
