import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { Effort } from "@/lib/schema/agents/choices";
import { BRANCH_PLACE } from "@/lib/schema/messages/ui-message";
import { plainText } from "@/lib/schema/plain-text";
import { FileScope, ThreadProject } from "@/lib/schema/projects/project";
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

/** A place in a transcript, to read what comes before it or from it on; "0" is its start. */
const TranscriptCursor = z.string().regex(/^\d{1,9}$/, "Use the cursor of an earlier reply.");

/** Query of GET `/api/threads/{id}/messages`: without a cursor the newest messages, with one those before it. */
export const TranscriptQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(FIRST_MESSAGES),
  cursor: TranscriptCursor.optional(),
});
export type TranscriptQuery = z.infer<typeof TranscriptQuery>;

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

/** Query of GET `/api/threads/{id}`. */
export const ThreadDetailQuery = z.strictObject({ from: TranscriptCursor.optional() });

export const CreateThreadBody = z
  .strictObject({
    agentId: AgentId,
    /** A test thread: each of its runs uses the agent's draft as it is when the run starts. For admins. */
    draft: z.boolean().optional(),
    /** With `draft`: the thread starts with what this run was asked. */
    fromRunId: z.string().min(1).max(200).optional(),
    /** Start it in this project, where the caller may write. */
    projectId: z.string().min(1).max(200).optional(),
    /** `thread`: files of its own; `project`: those of its project. Default: what the agent's backend.scope says. */
    files: FileScope.optional(),
  })
  .refine(({ draft, projectId, files }) => !draft || (projectId ?? files) === undefined, {
    message: "does not go with draft: true",
    path: ["draft"],
  })
  .refine(({ projectId, files }) => files !== "project" || projectId !== undefined, {
    message: "Name the project whose files it uses.",
    path: ["files"],
  })
  .refine(({ draft, fromRunId }) => draft || fromRunId === undefined, {
    message: "goes with draft: true",
    path: ["fromRunId"],
  });
export type CreateThreadBody = z.infer<typeof CreateThreadBody>;
export const UpdateThreadBody = z.strictObject({
  title: plainText(200).optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  /** Move it into this project, or with null out of its project. */
  projectId: z.string().min(1).max(200).nullable().optional(),
});

/** For one answer: a model and an effort that the agent's `choices` allow; by default the agent's own. */
const CHOSEN = { model: z.string().min(1).max(200).optional(), effort: Effort.optional() } as const;

/** POST `/api/threads/{id}/messages` → 202. */
export const SendMessageBody = z
  .strictObject({
    /** May be empty with `files`. */
    content: z.string().max(1_000_000),
    ...CHOSEN,
    /** Another agent, for this one answer; its files and its memory are its own. */
    agentId: AgentId.optional(),
    /** Paths in the workspace: the files are named to the model, and one that sees is shown the pictures. */
    files: z.array(z.string().min(1).max(4_096)).max(50).optional(),
    /** `steer`: the run that goes on reads it at its next model call, and the reply names that run. */
    mode: SendMode.default("queue"),
  })
  .refine(({ content, files = [] }) => content !== "" || files.length > 0, {
    message: "must not be empty",
    path: ["content"],
  });
/** Also of POST `/api/runs/{id}/continue` and `/retry`. */
export const SendMessageReply = z.object({ runId: z.string(), messageId: z.string(), status: RunStatus });

/** POST `/api/threads/{id}/messages/{messageId}/edit` → 202: the message in other words, as a branch of its own. */
export const EditMessageBody = z.strictObject({
  content: z.string().min(1).max(1_000_000),
  ...CHOSEN,
});
export type EditMessageBody = z.infer<typeof EditMessageBody>;

/** POST `/api/threads/{id}/messages/{messageId}/regenerate` → 202: the message answered again. */
export const RegenerateBody = z.strictObject({
  /** One of the agent's fallback models may be named too. */
  ...CHOSEN,
  /** Another agent, for this one reply. */
  agentId: AgentId.optional(),
  /** A published version of that agent; by default its current one. */
  version: z.number().int().min(1).optional(),
  /** The draft of that agent, on files of the thread alone; for admins. */
  draft: z.boolean().optional(),
});
export type RegenerateBody = z.infer<typeof RegenerateBody>;

/** POST `/api/runs/{id}/continue` and `/retry`: by default what was chosen for that run; a fallback model may be named too. */
export const ContinueRunBody = z.strictObject(CHOSEN).optional();
export type ContinueRunBody = z.infer<typeof ContinueRunBody>;

/** PUT `/api/threads/{id}/branch`: the newest branch with this message (or the reply being written) is shown. */
export const ChooseBranchBody = z.strictObject({ messageId: z.string().min(1).max(200) });

/** POST `/api/threads/{id}/fork` → 201: a new thread with everything up to this message. */
export const ForkThreadBody = z.strictObject({
  messageId: z.string().min(1).max(200),
  /** Todos as the message left them; files only where the thread has files of its own. */
  carry: z.strictObject({ files: z.boolean().default(false), todos: z.boolean().default(false) }).optional(),
});
export const ForkThreadReply = z.object({ id: z.string() });
export type ForkThreadBody = z.infer<typeof ForkThreadBody>;

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
const ThreadState = z.enum(["running", "waiting", "completed", "stopped", "failed"]);
export type ThreadState = z.infer<typeof ThreadState>;

/** Query of GET `/api/threads/export`: ids with commas between them. */
export const ExportThreadsQuery = z.strictObject({
  ids: z
    .string()
    .max(20_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.string().min(1).max(200)).min(1).max(200)),
  format: z.enum(["json", "md"]).default("json"),
});

/**
 * Query of GET `/api/threads`. `q` searches titles and texts, also of the threads of projects, which are listed otherwise
 * only with their `projectId`; archived threads are listed only when asked for.
 */
export const ThreadQuery = z.strictObject({
  q: z.string().trim().max(200).optional(),
  agentId: AgentId.optional(),
  projectId: z.string().min(1).max(200).optional(),
  /** With `projectId`: only those that the caller started. */
  mine: z.stringbool().optional(),
  archived: z.stringbool().default(false),
  state: ThreadState.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
});
export type ThreadQuery = z.infer<typeof ThreadQuery>;
export type ThreadList = z.infer<typeof ThreadList>;
export type UpdateThreadBody = z.infer<typeof UpdateThreadBody>;
export const ThreadTodos = z.object({ todos: z.array(Todo) });
