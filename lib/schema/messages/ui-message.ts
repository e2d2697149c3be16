import { z } from "zod";
import { Effort } from "@/lib/schema/agents/choices";
import { FileData } from "@/lib/schema/files/file-data";
import { BudgetAsk, BudgetRaise } from "@/lib/schema/runs/budget-ask";
import { CompactionData } from "@/lib/schema/runs/compaction";
import { Answer, ASK_CONTEXT, ConnectAsk, DecisionWay, Interrupt, Question } from "@/lib/schema/runs/interrupt";
import { AnswerNotice } from "@/lib/schema/runs/notice-kind";
import { RunError, RunStatus } from "@/lib/schema/runs/run";
import { RunVersion } from "@/lib/schema/runs/run-version";
import { Todo } from "@/lib/schema/runs/todo";
import { ShownUsage } from "@/lib/schema/runs/usage";
import { Refusal, ToolKind } from "@/lib/schema/tools/tool";

/**
 * A message's position in a thread with branches: the message before it, and its versions by the ids that choose them,
 * `index` being its own position among those. A message has versions once there are two.
 */
export const BRANCH_PLACE = {
  parentId: z.string().nullable().optional(),
  siblings: z.array(z.string()).optional(),
  index: z.number().optional(),
} as const;

/** The chat's facts about an assistant message besides its parts (AI SDK `UIMessage.metadata`). */
export const MessageMetadata = z.object({
  runId: z.string(),
  /** Absent if no trace is kept. */
  traceId: z.string().optional(),
  agentId: z.string().optional(),
  agentName: z.string().optional(),
  agentVersion: RunVersion.optional(),
  model: z.string().optional(),
  /** A person's choice for it instead of the provider's default. */
  effort: Effort.optional(),
  /** In a test thread: the draft revision that answered. */
  draftRevision: z.number().optional(),
  /** In a project: name of the other member who wrote the message, or whom it answers. */
  author: z.string().optional(),
  status: RunStatus.optional(),
  /** The run ended with NO_REPLY: if there is nothing else in it, the message is not shown. */
  silent: z.literal(true).optional(),
  steps: z.number().optional(),
  /** The run ended unfinished and its steps are no longer recorded, so it can't be continued. */
  journal: z.literal("gone").optional(),
  usage: ShownUsage.optional(),
  costUsd: z.number().nullable().optional(),
  /** The person who stopped the run; the name is unknown while streaming. */
  stoppedBy: z.object({ id: z.string(), name: z.string().optional() }).optional(),
  startedAtMs: z.number().optional(),
  endedAtMs: z.number().optional(),
  /** The part of that time in which the run waited for people; absent if it did not. */
  waitedMs: z.number().optional(),
  /** When a person's message was sent as a further version of another. */
  editedAtMs: z.number().optional(),
  ...BRANCH_PLACE,
});
export type MessageMetadata = z.infer<typeof MessageMetadata>;

/** A run's outcome, described for a person; drawn as a notice with its next step. */
export const NoticeData = z.object({
  kind: z.enum(["limit", ...AnswerNotice.options, "failed", "cancelled", "interrupted"]),
  text: z.string(),
  error: RunError.optional(),
  /** The step whose request a Retry sends again; absent if the run ended outside a model call. */
  retryStep: z.number().optional(),
});
export type NoticeData = z.infer<typeof NoticeData>;

/** Facts about a call for which AI SDK tool parts have no field; its part id is the tool call's id. */
export const ToolMetaData = z.object({
  toolCallId: z.string(),
  startedAtMs: z.number(),
  durationMs: z.number().optional(),
  truncatedChars: z.number().optional(),
  refused: Refusal.optional(),
  /** Absent in messages of earlier versions, like `gist`. */
  kind: ToolKind.optional(),
  gist: z.string().optional(),
  /** An earlier decision allowed it: on exactly this call, or on commands that begin with `pattern`. */
  granted: z.object({ pattern: z.string().optional() }).optional(),
  /** The latest progress that a running call has reported. */
  progress: z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
});
export type ToolMetaData = z.infer<typeof ToolMetaData>;

/** A failed model attempt that is retried; part id `retry-<step>`. */
export const RetryData = z.object({
  attempt: z.number(),
  error: RunError,
  delayMs: z.number(),
  /** The model that failed; if `nextModel` is another one, a fallback answers. */
  model: z.string().optional(),
  nextModel: z.string(),
  /** Start of the next attempt. */
  untilMs: z.number().optional(),
});
export type RetryData = z.infer<typeof RetryData>;

/** A Retry could not send what the failed step had sent; `reason` says why, as the end of a sentence. */
const RebuiltData = z.object({ reason: z.string() });

/** What the model was not sent although it is part of the conversation. */
const RemarkData = z.object({ text: z.string() });

/** Facts about a decision that later readers of the thread need: `decidedBy` is a person's name. */
const DECIDED = {
  decidedAtMs: z.number().optional(),
  decidedBy: z.string().optional(),
  decidedVia: DecisionWay.optional(),
} as const;

/**
 * A call that needs an approval; part id is the tool call's id. `requested`: its siblings are still running; `pending`:
 * it can be decided now. `args` are the model's, `editedArgs` those that ran instead.
 */
export const ApprovalData = z.object({
  toolCallId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  reason: z.string().optional(),
  ...ASK_CONTEXT,
  status: z.enum(["requested", "pending", "approved", "denied", "edited", "declined", "expired"]),
  editedArgs: z.record(z.string(), z.unknown()).optional(),
  /** The person's reason for a denial. */
  note: z.string().optional(),
  scope: z.enum(["once", "thread", "pattern"]).optional(),
  pattern: z.string().optional(),
  requestedAtMs: z.number(),
  ...DECIDED,
});
export type ApprovalData = z.infer<typeof ApprovalData>;

/** Questions of `ask_user`; part id is the tool call's id. `answers` are in question order. */
export const QuestionData = z.object({
  toolCallId: z.string(),
  questions: z.array(Question),
  expiresAt: ASK_CONTEXT.expiresAt,
  status: z.enum(["requested", "pending", "answered", "denied", "declined", "expired"]),
  answers: z.array(Answer).optional(),
  note: z.string().optional(),
  requestedAtMs: z.number(),
  ...DECIDED,
});
export type QuestionData = z.infer<typeof QuestionData>;

/**
 * A budget that the next model call did not fit into; part id is the ask's id. `added` is what a person added to it.
 */
export const BudgetData = z.object({
  toolCallId: z.string(),
  reason: z.string(),
  budget: BudgetAsk,
  expiresAt: ASK_CONTEXT.expiresAt,
  status: z.enum(["requested", "pending", "approved", "denied", "declined", "expired"]),
  added: BudgetRaise.optional(),
  note: z.string().optional(),
  requestedAtMs: z.number(),
  ...DECIDED,
});
export type BudgetData = z.infer<typeof BudgetData>;

/** A call that waits for the person's own connection to an MCP server; part id is the ask's id. */
export const ConnectData = z.object({
  toolCallId: z.string(),
  tool: z.string(),
  connect: ConnectAsk,
  expiresAt: ASK_CONTEXT.expiresAt,
  status: z.enum(["requested", "pending", "approved", "denied", "declined", "expired"]),
  note: z.string().optional(),
  requestedAtMs: z.number(),
  ...DECIDED,
});
export type ConnectData = z.infer<typeof ConnectData>;

/**
 * A subagent running for a tool call; part id is the call's id, replaced as the child run continues. `interrupts` are
 * what the child asks people; they are decided on the child run (`runId`).
 */
export const SubagentData = z.object({
  toolCallId: z.string(),
  runId: z.string(),
  name: z.string(),
  description: z.string(),
  background: z.boolean(),
  /** Another agent, which works as itself, in this version; absent for subagents. */
  delegate: z.object({ version: z.number().nullable() }).optional(),
  status: RunStatus,
  lastLine: z.string(),
  /** Tool calls it has made; absent in messages of earlier versions. */
  calls: z.number().optional(),
  /** From start to end; absent until then. */
  durationMs: z.number().optional(),
  /** Null if the usage of any of its calls is unknown. */
  tokens: z.number().nullable(),
  /** `tokens` contains estimates (D-84). */
  estimated: z.literal(true).optional(),
  costUsd: z.number().nullable(),
  interrupts: z.array(Interrupt).optional(),
});
export type SubagentData = z.infer<typeof SubagentData>;

/** The conversation was handed over: ids of the agents. */
const HandoffData = z.object({
  toolCallId: z.string(),
  from: z.string(),
  to: z.string(),
  reason: z.string(),
  atMs: z.number(),
});
export type HandoffData = z.infer<typeof HandoffData>;

/**
 * A message that a person wrote during the run, at the point where the model read it; part id is the message's. It is
 * also set on the person's own message, so that the text is not shown twice.
 */
const SteerData = z.object({
  messageId: z.string(),
  text: z.string(),
  /** The model call that read it, and how long after sending. */
  step: z.number(),
  afterMs: z.number(),
});

/**
 * A run of the thread was undone (`isBack`: that was taken back); part id is the undo's. `text` follows the name: what
 * came back, and what could not.
 */
const UndoData = z.object({
  undoId: z.string(),
  runId: z.string(),
  by: z.string(),
  text: z.string(),
  atMs: z.number(),
  isBack: z.boolean(),
});

/**
 * The data parts of our UI messages: `data-todos` (id `todos`), `data-notice`, `data-tool-meta`, `data-file`,
 * `data-retry`, `data-rebuilt`, `data-remark`, `data-approval`, `data-question`, `data-budget`, `data-subagent`, `data-steer`, `data-compaction` (id `compaction-<count>`, last in the message), `data-undo`.
 */
const DATA_PARTS = {
  todos: z.object({ todos: z.array(Todo) }),
  notice: NoticeData,
  "tool-meta": ToolMetaData,
  file: FileData,
  retry: RetryData,
  rebuilt: RebuiltData,
  remark: RemarkData,
  compaction: CompactionData,
  approval: ApprovalData,
  question: QuestionData,
  budget: BudgetData,
  connect: ConnectData,
  subagent: SubagentData,
  steer: SteerData,
  handoff: HandoffData,
  undo: UndoData,
} as const;
export type DataParts = { [Name in keyof typeof DATA_PARTS]: z.infer<(typeof DATA_PARTS)[Name]> };
