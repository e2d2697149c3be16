import { z } from "zod";
import { FileData } from "@/lib/schema/files/file-data";
import { ImageRef, Reasoning, ToolCall } from "@/lib/schema/messages/message";
import { ModelPrice } from "@/lib/schema/provider";
import { CallSummary, ToolAnnotations, ToolResult } from "@/lib/schema/tools/tool";
import { BudgetAsk } from "./budget-ask";
import { CompactionData } from "./compaction";
import { GenerationChanges } from "./generation";
import { ASK_CONTEXT, ConnectAsk, Interrupt, InterruptDecision, Question } from "./interrupt";
import { AnswerNotice } from "./notice-kind";
import { RunError, RunStatus } from "./run";
import { RunVersion } from "./run-version";
import { SectionTokens } from "./section-tokens";
import { Todo } from "./todo";
import { LostCall, Usage } from "./usage";

/**
 * A finished model reply. `model` is the one that answered (`provider:model`), which differs from the agent's after a
 * fallback. `timeToFirstTokenMs` is null if nothing was streamed. `silent`: the model said NO_REPLY, so the content is
 * empty on purpose (D-40).
 */
export const ModelReply = z.object({
  content: z.string(),
  reasoning: z.array(Reasoning),
  toolCalls: z.array(ToolCall),
  finishReason: z.enum(["stop", "length", "content-filter", "tool-calls", "error", "other"]),
  usage: Usage,
  /** US dollars; null if the price is unknown. Absent if no priced model was called. */
  costUsd: z.number().nullable().optional(),
  /** The price used, if there is one. */
  price: ModelPrice.optional(),
  model: z.string(),
  timeToFirstTokenMs: z.number().nullable(),
  silent: z.literal(true).optional(),
  /** Events of its stream that could not be read and were passed over; absent if there were none. */
  unreadableEvents: z.number().optional(),
  /**
   * It has tool calls in words; none that could be read if `calls` is empty. `mayRun`: the model's traits take them as
   * calls. `isBeside`: they stand beside other text, or in the thoughts.
   */
  textCalls: z.object({ calls: z.array(ToolCall), mayRun: z.boolean(), isBeside: z.boolean().optional() }).optional(),
  /** What the model was not sent although it is part of the conversation, in sentences for people. */
  notices: z.array(z.string()).optional(),
});
export type ModelReply = z.infer<typeof ModelReply>;

/**
 * A summary of the first `count` messages that the model reads, the last of them `lastId`. A later segment of the run
 * reuses it instead of requesting another.
 */
export const RunSummary = z.object({ count: z.number(), lastId: z.string(), text: z.string() });
export type RunSummary = z.infer<typeof RunSummary>;

/** `step` counts the run's model calls from 1; `at` is Unix time in ms. */
const stepped = { step: z.number() };

const subagent = {
  ...stepped,
  toolCallId: z.string(),
  runId: z.string(),
  name: z.string(),
  description: z.string(),
  background: z.boolean(),
  /** Another agent, which works as itself, in this version. */
  delegate: z.object({ version: z.number().nullable() }).optional(),
};

/** How long the run waited for people; absent if it did not, and in logs of earlier versions. */
const WAITED = { waitedMs: z.number().optional() };

/**
 * Everything that happens in a run, in order. This is the run's only record: streams, the chat, and the journal from
 * which a restarted process continues are projections of it (D-8). `model.completed`, `tool.call`, `tool.intent`,
 * `tool.result` and `steer.read` are the journal.
 */
export const RunEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run.started"),
    threadId: z.string(),
    agentId: z.string(),
    traceId: z.string(),
    assistantMessageId: z.string(),
    segment: z.number(),
    /**
     * The agent whose reply this becomes; absent for a subagent that its parent's config defines, and in logs of
     * earlier versions.
     */
    agent: z.object({ name: z.string(), version: RunVersion }).optional(),
    /** In a test thread: the draft revision it runs. */
    draftRevision: z.number().optional(),
    /** Content hashes of the extensions the segment runs with, by file; absent if there are none. */
    extensions: z.record(z.string(), z.string()).optional(),
  }),
  /** The segment runs with another version of an extension than the previous segment. */
  z.object({ type: z.literal("extension.changed"), file: z.string(), from: z.string(), to: z.string() }),
  /**
   * The changes made by the `preGeneration` hooks of the run's first segment; later segments continue with them (D-73).
   */
  GenerationChanges.extend({ type: z.literal("generation.prepared") }),
  /**
   * Only with the run's first model call: `sections`, the size of each part of the system prompt, and `rebuilt`, why a
   * Retry does not send what the failed step sent.
   */
  z.object({
    type: z.literal("model.started"),
    ...stepped,
    model: z.string(),
    sections: z.array(SectionTokens).optional(),
    rebuilt: z.string().optional(),
  }),
  z.object({ type: z.literal("text.delta"), ...stepped, delta: z.string() }),
  z.object({ type: z.literal("reasoning.delta"), ...stepped, delta: z.string() }),
  /** The model has begun to write a call's arguments: the card appears before they are complete. */
  z.object({ type: z.literal("tool.input"), ...stepped, toolCallId: z.string(), name: z.string() }),
  /** The next characters of the arguments of a call that writes a file, so the file appears as it is written. */
  z.object({ type: z.literal("tool.delta"), ...stepped, toolCallId: z.string(), delta: z.string() }),
  /** A failed attempt that will be retried after `delayMs`, possibly with another model. */
  z.object({
    type: z.literal("model.retry"),
    ...stepped,
    attempt: z.number(),
    error: RunError,
    delayMs: z.number(),
    nextModel: z.string(),
  }),
  /** The step's output so far is void: a retry or a takeover restarts it (D-48). */
  z.object({ type: z.literal("step.reset"), ...stepped }),
  /**
   * A model call of this step was stopped, failed or was lost, and its usage is unknown (D-84); `estimate` for one that
   * was lost with its process.
   */
  z.object({ type: z.literal("usage.unknown"), ...stepped, estimate: LostCall.optional() }),
  z.object({ type: z.literal("model.completed"), ...stepped, reply: ModelReply, durationMs: z.number() }),
  /**
   * The call enters the rings for the first time: emitted once per call id, whatever it then waits for (D-71). `facts`
   * is absent in logs of earlier versions.
   */
  z.object({
    type: z.literal("tool.call"),
    ...stepped,
    call: ToolCall,
    annotations: ToolAnnotations,
    facts: CallSummary.optional(),
  }),
  /** Written before these calls run: if one has no result, its effect is unknown. */
  z.object({ type: z.literal("tool.intent"), ...stepped, toolCallIds: z.array(z.string()) }),
  z.object({ type: z.literal("tool.result"), ...stepped, result: ToolResult, durationMs: z.number() }),
  /** A grant lets the call run without asking; `pattern` is set unless the grant is for exactly this call. */
  z.object({
    type: z.literal("grant.used"),
    ...stepped,
    toolCallId: z.string(),
    grantId: z.string(),
    pattern: z.string().optional(),
  }),
  /** Progress that a running call reports, shown only to people. `total` is absent if the call does not know it. */
  z.object({
    type: z.literal("tool.progress"),
    ...stepped,
    toolCallId: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  /** The call waits for a person or a child run; when it does start, another `tool.intent` is written. */
  z.object({ type: z.literal("tool.pending"), ...stepped, toolCallId: z.string(), reason: z.string() }),
  /** The call needs a person's approval; it is asked for once the run waits (`run.waiting`). */
  z.object({
    type: z.literal("approval.requested"),
    ...stepped,
    toolCallId: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    reason: z.string().optional(),
    ...ASK_CONTEXT,
  }),
  z.object({
    type: z.literal("question.asked"),
    ...stepped,
    toolCallId: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    questions: z.array(Question),
    expiresAt: ASK_CONTEXT.expiresAt,
    /** For the tool alone: from where another process can continue the call once the question is answered. */
    continuation: z.string().optional(),
  }),
  /** The next model call does not fit into a budget, so the segment ends before it (`run.waiting`). */
  z.object({
    type: z.literal("budget.reached"),
    ...stepped,
    toolCallId: z.string(),
    reason: z.string(),
    budget: BudgetAsk,
    expiresAt: ASK_CONTEXT.expiresAt,
  }),
  /** The call needs the person's own connection to its MCP server, which does not exist or is no longer accepted. */
  z.object({
    type: z.literal("connect.asked"),
    ...stepped,
    toolCallId: z.string(),
    tool: z.string(),
    connect: ConnectAsk,
    expiresAt: ASK_CONTEXT.expiresAt,
  }),
  /** The segment has ended; until everything in `interrupts` is decided, the run is only a row. */
  z.object({ type: z.literal("run.waiting"), interrupts: z.array(Interrupt) }),
  /** A person has decided; the run continues with another `run.started` when nothing is left open. */
  InterruptDecision.extend({ type: z.literal("interrupt.decided") }),
  /** The call has started a child run, whose id is `runId`. */
  z.object({ type: z.literal("subagent.started"), ...subagent }),
  /** The child run that the call waited for has ended; its usage also counts as the parent's. */
  z.object({
    type: z.literal("subagent.completed"),
    ...subagent,
    status: RunStatus,
    lastLine: z.string(),
    /** Tool calls it made; absent in logs of earlier versions. */
    calls: z.number().optional(),
    /** From start to end, including waits; also absent in logs of earlier versions. */
    durationMs: z.number().optional(),
    usage: Usage,
    costUsd: z.number().nullable(),
  }),
  /** The conversation is handed to another agent, which answers from then on: its run is queued as this one ends. */
  z.object({
    type: z.literal("handoff"),
    ...stepped,
    toolCallId: z.string(),
    from: z.string(),
    to: z.string(),
    reason: z.string(),
  }),
  /** A person wrote this during the run: the model reads it from this step on (D-89). */
  z.object({
    type: z.literal("steer.read"),
    ...stepped,
    messageId: z.string(),
    content: z.string(),
    images: z.array(ImageRef).optional(),
    sentAtMs: z.number(),
  }),
  z.object({ type: z.literal("todo.updated"), todos: z.array(Todo) }),
  /**
   * From this step on, this summary is sent in place of the older part of the conversation; producing it took `usage`.
   */
  RunSummary.extend({
    type: z.literal("summary.completed"),
    ...stepped,
    usage: Usage,
    costUsd: z.number().nullable().optional(),
  }),
  FileData.extend({ type: z.literal("file.changed") }),
  /** `notice` is text for people about a limit or an empty reply; it is never sent to the model (D-29). */
  z.object({
    type: z.literal("run.completed"),
    status: z.enum(["completed", "limit"]),
    notice: z.string().optional(),
    /** What the notice is about; absent for a limit, and in logs of earlier versions. */
    noticeKind: AnswerNotice.optional(),
    /** Shown to people if the last reply has no text: the agent's `default_response` (D-69). */
    defaultResponse: z.string().optional(),
    /** The last reply was NO_REPLY: there is no answer, and none is missing (D-40). */
    silent: z.literal(true).optional(),
    ...WAITED,
  }),
  z.object({ type: z.literal("run.failed"), status: z.enum(["failed", "interrupted"]), error: RunError, ...WAITED }),
  z.object({ type: z.literal("run.cancelled"), by: z.string(), ...WAITED }),
  /** The thread's history was compacted after this run: the only event that can follow the run's final one. */
  CompactionData.extend({ type: z.literal("compaction.completed") }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type RunEventType = RunEvent["type"];

/** An event as it is stored: `seq` counts from 1 per run without gaps; `at` is Unix time in ms. */
export interface StoredRunEvent {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}
