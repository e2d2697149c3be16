import { z } from "zod";
import { Effort } from "@/lib/schema/agents/choices";
import { BRANCH_PLACE } from "@/lib/schema/messages/ui-message";
import { ProjectThreadSummary, ThreadProject } from "@/lib/schema/projects/thread-project";
import { CompactReply } from "@/lib/schema/runs/compaction";
import { RunStatus } from "@/lib/schema/runs/run";
import { Todo } from "@/lib/schema/runs/todo";
import { ShownUsage } from "@/lib/schema/runs/usage";

/** A row of the thread list. `status` is the latest run's, null before the first; times are ISO 8601. */
export const ThreadSummary = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  title: z.string().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Its runs use the agent's draft; no list includes it. */
  draft: z.literal(true).optional(),
  /** Only for a thread in a project. */
  project: ThreadProject.optional(),
  status: RunStatus.nullable(),
  activeRunId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ThreadSummary = z.infer<typeof ThreadSummary>;

/** The match of a search in a thread's text, on one line: the match, its surroundings, and the message. */
export const ThreadSnippet = z.object({
  before: z.string(),
  match: z.string(),
  after: z.string(),
  messageId: z.string(),
});
export type ThreadSnippet = z.infer<typeof ThreadSnippet>;

/** `snippet` is present if the search matched a message rather than only the title, `facts` in the list of a project. */
export const ThreadListItem = ThreadSummary.extend({
  snippet: ThreadSnippet.optional(),
  facts: ProjectThreadSummary.optional(),
});
export type ThreadListItem = z.infer<typeof ThreadListItem>;

/** What other than its person's messages starts a thread; `draft` is a test of an agent's draft. */
export const ThreadOrigin = z.enum(["schedule", "heartbeat", "webhook", "board", "draft"]);
export type ThreadOrigin = z.infer<typeof ThreadOrigin>;

/**
 * Threads that the same thing started. `triggerId` is that of the schedule, heartbeat, webhook or board, of a draft that
 * of its agent; null once it no longer exists. `lastAt` is the latest change.
 */
export const ThreadOriginGroup = z.object({
  origin: ThreadOrigin,
  triggerId: z.string().nullable(),
  title: z.string(),
  threads: z.int(),
  lastAt: z.string(),
});
export type ThreadOriginGroup = z.infer<typeof ThreadOriginGroup>;

/**
 * `groups`, on the first page of one's own threads: those that the list leaves out, by what started them.
 * `unfolded`, in a search: how many titles and messages are not yet prepared for it; they are found as they are written,
 * but not in other cases or without accents.
 */
export const ThreadList = z.object({
  threads: z.array(ThreadListItem),
  nextCursor: z.string().nullable(),
  groups: z.array(ThreadOriginGroup).optional(),
  unfolded: z.int().optional(),
});

/** A stored UIMessage; `parts` are the AI SDK's and are validated by the chat. */
export const TranscriptMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: z.unknown().optional(),
});
export type TranscriptMessage = z.infer<typeof TranscriptMessage>;

/** Number of newest messages with which a thread opens; earlier ones load while scrolling up. */
export const FIRST_MESSAGES = 60;

/** One page, oldest first. `nextCursor` leads to the page before it; null at the start of the thread. */
export const TranscriptPage = z.object({ messages: z.array(TranscriptMessage), nextCursor: z.string().nullable() });
export type TranscriptPage = z.infer<typeof TranscriptPage>;

/**
 * A run of the thread that has not ended: the running one and those queued behind it, in order. `usage` is its share of
 * the thread's, as of the last time it waited.
 */
const OpenRun = z.object({
  id: z.string(),
  status: RunStatus,
  assistantMessageId: z.string(),
  text: z.string(),
  /** The message it answers; absent if it continues a run without a new message. */
  messageId: z.string().optional(),
  /** Queued, and read at the active run's next model call. */
  steers: z.literal(true).optional(),
  /** `provider:model` chosen for it instead of the agent's own. */
  model: z.string().optional(),
  effort: Effort.optional(),
  /** The answering agent, if not the one that answers in the thread now. */
  agentId: z.string().optional(),
  createdAt: z.string(),
  usage: ShownUsage,
  /** Another member of the project started it, so its asks are theirs to decide. */
  byAnother: z.literal(true).optional(),
  /** It belongs to a branch other than the shown one. */
  elsewhere: z.literal(true).optional(),
  /** If the thread has branches: the positions of its reply and of its message, as in the messages' metadata. */
  replyPlace: z.object(BRANCH_PLACE).optional(),
  messagePlace: z.object(BRANCH_PLACE).optional(),
});

/** A message held by a stop until its sender sends or drops it; `id` is that of the run that will answer it (D-96). */
const HeldMessage = OpenRun.pick({ id: true, text: true, model: true, effort: true, agentId: true, byAnother: true });
export type HeldMessage = z.infer<typeof HeldMessage>;

/**
 * `GET /api/threads/{id}`: everything the chat page shows first. The transcript holds what has ended plus the user
 * messages of open runs; only its newest messages unless `from` asks for all from a position on. The open run's reply
 * comes from `/api/threads/{id}/stream`.
 */
export const ThreadDetail = ThreadSummary.extend({
  clientId: z.string(),
  /** The answering agent: the thread's own, or the one it was handed over to. */
  activeAgentId: z.string(),
  /** Time at which that agent took over; absent while the thread's own answers. */
  activeSince: z.string().optional(),
  /** Time at which a person last took it back. */
  takenBackAt: z.string().optional(),
  messages: z.array(TranscriptMessage),
  /** Cursor of GET `/messages` for what precedes the first message here; null if the thread begins with it. */
  earlierCursor: z.string().nullable(),
  openRuns: z.array(OpenRun),
  /** Messages that were queued when somebody stopped the thread, in order; absent if there are none. */
  held: z.array(HeldMessage).optional(),
  /** Only if the thread has branches: the last ended run of any branch, after which the stream begins. */
  branches: z.object({ lastEndedRunId: z.string().nullable() }).optional(),
  todos: z.array(Todo),
  latestTraceId: z.string().nullable(),
  /** `provider:model` that answered last, and its provider; null before the first answer. */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** Of all runs so far, subagents included; `costUsd` is null if a price is unknown. */
  usage: ShownUsage.extend({ totalTokens: z.number().nullable(), costUsd: z.number().nullable() }),
});
export type ThreadDetail = z.infer<typeof ThreadDetail>;

/** GET `/api/threads/{id}/export`: the whole thread, without its transient fields. */
export const ThreadExport = ThreadDetail.omit({
  openRuns: true,
  held: true,
  activeRunId: true,
  earlierCursor: true,
  branches: true,
});
export type ThreadExport = z.infer<typeof ThreadExport>;

/** The part of a thread that its creator needs at once. */
export const CreatedThread = z.object({ id: z.string() });

/** Also the reply of POST `/api/runs/{id}/continue` and `/retry`. */
export const SendMessageReply = z.object({ runId: z.string(), messageId: z.string(), status: RunStatus });
export type SendMessageReply = z.infer<typeof SendMessageReply>;

/** POST `/api/threads/{id}/title`: the thread's current title. */
export const ThreadTitle = z.object({ title: z.string().nullable() });
export type ThreadTitle = z.infer<typeof ThreadTitle>;

/** The number of runs asked to end, and of queued messages that are held from now on, if any (D-96). */
export const CancelReply = z.object({ cancelled: z.number(), held: z.number().optional() });

/** 200 from the same POST when the content was `/stop`, `/stopall` or `/compact`: done, and no message was stored. */
export const CommandReply = z.discriminatedUnion("command", [
  CancelReply.extend({ command: z.enum(["stop", "stopall"]) }),
  z.object({ command: z.literal("compact"), compaction: CompactReply }),
]);
export type CommandReply = z.infer<typeof CommandReply>;

/** The filters of a thread list, by the status of the newest run. */
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
