import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { Effort } from "@/lib/schema/agents/choices";
import { BRANCH_PLACE } from "@/lib/schema/messages/ui-message";
import { plainText } from "@/lib/schema/plain-text";
import { FileScope, ThreadProject } from "@/lib/schema/projects/thread-project";
import { CompactReply } from "@/lib/schema/runs/compaction";
import { RunStatus } from "@/lib/schema/runs/run";
import { Todo } from "@/lib/schema/runs/todo";
import { ShownUsage } from "@/lib/schema/runs/usage";
import { SendMode } from "./queue";

/** A row of the thread list. `status` is the latest run's, null before the first; times are ISO 8601. */
export const ThreadSummary = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  title: z.string().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Its runs use the agent's draft; it is in no list. */
  draft: z.literal(true).optional(),
  /** Of a thread in a project. */
  project: ThreadProject.optional(),
  status: RunStatus.nullable(),
  activeRunId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ThreadSummary = z.infer<typeof ThreadSummary>;

/** Where a thread's text has what was searched for, on one line: the match itself, what is around it, and the message. */
export const ThreadSnippet = z.object({
  before: z.string(),
  match: z.string(),
  after: z.string(),
  messageId: z.string(),
});
export type ThreadSnippet = z.infer<typeof ThreadSnippet>;

/** `snippet` comes with a search that found a message rather than the title alone. */
export const ThreadListItem = ThreadSummary.extend({ snippet: ThreadSnippet.optional() });
export type ThreadListItem = z.infer<typeof ThreadListItem>;

export const ThreadList = z.object({ threads: z.array(ThreadListItem), nextCursor: z.string().nullable() });

/** A stored UIMessage; `parts` are the AI SDK's and are validated by the chat. */
export const TranscriptMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: z.unknown().optional(),
});
export type TranscriptMessage = z.infer<typeof TranscriptMessage>;

/** How many of the newest messages a thread opens with; earlier ones load while scrolling up. */
export const FIRST_MESSAGES = 60;

/** One page, oldest first. `nextCursor` leads to the page before it; null where the thread begins. */
export const TranscriptPage = z.object({ messages: z.array(TranscriptMessage), nextCursor: z.string().nullable() });
export type TranscriptPage = z.infer<typeof TranscriptPage>;

/**
 * A run of the thread that has not ended: the running one and those queued behind it, in order. `usage` is its share
 * of the thread's, as of the last time it waited.
 */
const OpenRun = z.object({
  id: z.string(),
  status: RunStatus,
  assistantMessageId: z.string(),
  text: z.string(),
  /** The message that it answers; absent for one that continues a run without a word. */
  messageId: z.string().optional(),
  /** Queued, and read at the next model call of the active run. */
  steers: z.literal(true).optional(),
  /** `provider:model` chosen for it instead of the agent's own. */
  model: z.string().optional(),
  effort: Effort.optional(),
  /** Who answers it, where that is not the thread's agent. */
  agentId: z.string().optional(),
  createdAt: z.string(),
  usage: ShownUsage,
  /** Another member of the project started it: what it asks is theirs to decide. */
  byAnother: z.literal(true).optional(),
  /** It belongs to another branch than the one that is shown. */
  elsewhere: z.literal(true).optional(),
  /** Where the thread has branches: the places of its reply and of its message, as in the metadata of messages. */
  replyPlace: z.object(BRANCH_PLACE).optional(),
  messagePlace: z.object(BRANCH_PLACE).optional(),
});

/**
 * `GET /api/threads/{id}`: everything the chat page shows first. The transcript holds what has ended plus the user
 * messages of open runs, its newest messages unless `from` asks for all from a place on; the open run's reply comes from `/api/threads/{id}/stream`.
 */
export const ThreadDetail = ThreadSummary.extend({
  clientId: z.string(),
  /** Who answers: its agent, or the one that it was handed over to. */
  activeAgentId: z.string(),
  /** When a person took it back, the last time. */
  takenBackAt: z.string().optional(),
  messages: z.array(TranscriptMessage),
  /** Of GET `/messages`, for what comes before the first message here; null where the thread begins. */
  earlierCursor: z.string().nullable(),
  openRuns: z.array(OpenRun),
  /** Only where the thread has branches: the last run of any of them that has ended, after which its stream begins. */
  branches: z.object({ lastEndedRunId: z.string().nullable() }).optional(),
  todos: z.array(Todo),
  latestTraceId: z.string().nullable(),
  /** `provider:model` that answered last, and its provider; null before the first answer. */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** Of all runs so far, subagents included; `costUsd` is null when a price is unknown. */
  usage: ShownUsage.extend({ totalTokens: z.number().nullable(), costUsd: z.number().nullable() }),
});
export type ThreadDetail = z.infer<typeof ThreadDetail>;

/** GET `/api/threads/{id}/export`: the whole thread, without what is only of the moment. */
export const ThreadExport = ThreadDetail.omit({
  openRuns: true,
  activeRunId: true,
  earlierCursor: true,
  branches: true,
});
export type ThreadExport = z.infer<typeof ThreadExport>;

/** What the maker of a thread needs of it at once. */
export const CreatedThread = z.object({ id: z.string() });

/** Also of POST `/api/runs/{id}/continue` and `/retry`. */
export const SendMessageReply = z.object({ runId: z.string(), messageId: z.string(), status: RunStatus });
export type SendMessageReply = z.infer<typeof SendMessageReply>;

/** POST `/api/threads/{id}/title`: the title that the thread has now. */
export const ThreadTitle = z.object({ title: z.string().nullable() });
export type ThreadTitle = z.infer<typeof ThreadTitle>;

/** How many runs were asked to end. */
export const CancelReply = z.object({ cancelled: z.number() });

/** 200 of the same POST when the content was `/stop`, `/stopall` or `/compact`: done, and no message was stored. */
export const CommandReply = z.discriminatedUnion("command", [
  CancelReply.extend({ command: z.enum(["stop", "stopall"]) }),
  z.object({ command: z.literal("compact"), compaction: CompactReply }),
]);
export type CommandReply = z.infer<typeof CommandReply>;

/** What a list of threads can be narrowed to, by the status of the newest run. */
export const THREAD_STATES = {
  running: ["queued", "running"],
  waiting: ["waiting"],
  completed: ["completed"],
  stopped: ["cancelled", "limit"],
  failed: ["failed", "interrupted"],
} as const satisfies Readonly<Record<string, readonly RunStatus[]>>;
export type ThreadState = keyof typeof THREAD_STATES;

export type ThreadList = z.infer<typeof ThreadList>;
export const ThreadTodos = z.object({ todos: z.array(Todo) });
