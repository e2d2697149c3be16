import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { cutMiddle } from "@/lib/agent/messages/cut-middle";
import type { ChildRun, ResultLimits, SubagentInfo, SubagentRequest, Subagents } from "@/lib/agent/subagents";
import { defineTool, type Tool, type ToolExecution, type ToolOutput, type ToolPending } from "@/lib/agent/tools/tool";
import { hasEnded } from "@/lib/schema/runs/run";

/** The span of a tool call, if any: child runs record their spans below it. */
export type FindSpan = (execution: ToolExecution) => string | null;

/** How long a call waits in memory for its child before the run is suspended. */
const GRACE_MS = 2_000;

/** `task`, `task_status` and `task_cancel` for an agent with subagents. */
export function taskTools(subagents: Subagents, findSpan: FindSpan): Tool[] {
  return [taskTool(subagents, findSpan), ...backgroundTools(subagents)];
}

/** The tools for runs that the caller does not wait for. */
export function backgroundTools(subagents: Subagents): Tool[] {
  return [taskStatusTool(subagents), taskCancelTool(subagents)];
}

export function taskTool(subagents: Subagents, findSpan: FindSpan): Tool {
  const names = subagents.offered.map(({ name }) => name);
  return defineTool({
    name: "task",
    kind: "agent",
    approval: "never",
    question: "Start this subagent?",
    description: describeTask(subagents.offered),
    input: z.object({
      agent: (names.length === 0 ? z.string() : z.enum(names)).describe("The subagent that does the work"),
      description: z.string().min(1).max(200).describe("What the work is, in a few words for the user"),
      prompt: z.string().min(1).max(200_000).describe("The whole task: the subagent knows nothing else"),
      background: z.boolean().optional().describe("True: do not wait for the answer; look with task_status"),
    }),
    aliases: ["Task", "spawn", "subagent"],
    argumentAliases: { subagent_type: "agent" },
    // A run has its own time limit, and this call waits for it no longer than GRACE_MS.
    ownTimeLimit: true,
    resumable: true,
    async execute(args, execution) {
      const { agent, background: isBackground = false } = args;
      const [description, prompt] = [cleanText(args.description), cleanText(args.prompt)];
      const parentSpanId = findSpan(execution);
      const request = { agent, description, prompt, isBackground, call: execution.call, parentSpanId };
      const child = await runChild(subagents, request, execution);
      if (isBackground) return startedInBackground(child);
      if (!hasEnded(child.status)) return { pending: "child" } satisfies ToolPending;
      return answerOf(child, subagents.resultLimits);
    },
  });
}

/** Starts the child of this call if there is none, and waits briefly for its end; logs both events. */
export async function runChild(
  subagents: Subagents,
  request: SubagentRequest,
  { call, context, signal }: ToolExecution,
): Promise<ChildRun> {
  const { description, isBackground } = request;
  const started = await subagents.start(request);
  const { runId, name, delegate } = started.child;
  const named = { name, description, background: isBackground, ...(delegate ? { delegate } : {}) };
  const facts = { step: context.step, toolCallId: call.id, runId, ...named };
  if (started.isNew) context.log.emit({ type: "subagent.started", ...facts });
  if (isBackground) return started.child;
  const child = await subagents.waitForEnd(runId, GRACE_MS, signal);
  if (!hasEnded(child.status)) return child;
  const { status, lastLine, calls, usage, costUsd } = child;
  const took = child.durationMs === null ? {} : { durationMs: child.durationMs };
  context.log.emit({ type: "subagent.completed", ...facts, status, lastLine, calls, ...took, usage, costUsd });
  return child;
}

function taskStatusTool(subagents: Subagents): Tool {
  return defineTool({
    name: "task_status",
    kind: "agent",
    approval: "never",
    description: "Tells how a subagent that works in the background is getting on, and its answer once it has ended.",
    input: z.object({ run_id: z.string().min(1).max(200) }),
    annotations: { readOnly: true },
    execute: async ({ run_id: runId }) =>
      describeChild(known(await subagents.find(runId), runId), subagents.resultLimits),
  });
}

function taskCancelTool(subagents: Subagents): Tool {
  return defineTool({
    name: "task_cancel",
    kind: "agent",
    description: "Stops a subagent that works in the background.",
    input: z.object({ run_id: z.string().min(1).max(200) }),
    resumable: true,
    execute: async ({ run_id: runId }) =>
      describeChild(known(await subagents.cancel(runId), runId), subagents.resultLimits),
  });
}

function describeTask(offered: readonly SubagentInfo[]): string {
  const list = offered.map(({ name, description }) => `- ${name}: ${description || "no description"}`).join("\n");
  return `Gives a piece of work to a subagent and returns its answer. The subagent works by itself and sees nothing of this conversation, so write everything it needs into the prompt and say what to report. Several calls in one reply work at the same time. Subagents:\n${list}`;
}

export function startedInBackground({ runId }: ChildRun): ToolOutput {
  return { output: JSON.stringify({ run_id: runId }) };
}

/** The child's answer as the result of the call; throws if the child did not finish. */
export function answerOf({ name, status, result, error, delegate }: ChildRun, limits: ResultLimits): ToolOutput {
  const who = delegate ? `agent ${name}` : `subagent ${name}`;
  if (status === "cancelled") throw new Error(`The ${who} was stopped before it had finished.`);
  if (status === "failed" || status === "interrupted") {
    throw new Error(`The ${who} failed: ${error ?? "it did not say why"}`);
  }
  const { text, truncatedChars } = cutMiddle(result ?? "", limits);
  const answer = text === "" ? `The ${who} ended without an answer.` : text;
  const limit =
    status === "limit"
      ? `${answer}\n\n[The ${delegate ? "agent" : "subagent"} reached its limit before it had finished.]`
      : answer;
  return { output: limit, ...(truncatedChars > 0 ? { truncatedChars } : {}) };
}

function describeChild({ runId, status, lastLine, result, error }: ChildRun, limits: ResultLimits): ToolOutput {
  const { text, truncatedChars } = cutMiddle(result ?? "", limits);
  const ending = result === null ? {} : { result: text };
  const failure = error === null ? {} : { error };
  return {
    output: JSON.stringify({ run_id: runId, status, last_line: lastLine, ...ending, ...failure }),
    ...(truncatedChars > 0 ? { truncatedChars } : {}),
  };
}

function known(child: ChildRun | null, runId: string): ChildRun {
  if (child) return child;
  throw new Error(`There is no subagent run ${runId} in this thread. Use the run_id that task returned.`);
}

const refuse = () => Promise.reject(new Error("described, not run"));

/** For tools that are described but never run. */
export const NO_SUBAGENTS: Subagents = {
  offered: [],
  delegates: [],
  resultLimits: { maxChars: 0, head: 0, tail: 0 },
  start: refuse,
  waitForEnd: refuse,
  find: refuse,
  cancel: refuse,
};
