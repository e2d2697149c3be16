import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { Effort } from "@/lib/schema/agents/choices";
import { messageText } from "@/lib/schema/messages/text-limits";
import { plainText } from "@/lib/schema/plain-text";
import { FileScope } from "@/lib/schema/projects/thread-project";
import { RunStatus } from "@/lib/schema/runs/run";
import { SendMode } from "./queue";
import { FIRST_MESSAGES, ThreadOrigin } from "./thread";

/** A position in a transcript, to read backwards or forwards from; "0" is its start. */
const TranscriptCursor = z.string().regex(/^\d{1,9}$/, "Use the cursor of an earlier reply.");

/** Query of GET `/api/threads/{id}/messages`: without a cursor the newest messages, with one those before it. */
export const TranscriptQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(FIRST_MESSAGES),
  cursor: TranscriptCursor.optional(),
});

export type TranscriptQuery = z.infer<typeof TranscriptQuery>;

/** Query of GET `/api/threads/{id}`. */
export const ThreadDetailQuery = z.strictObject({ from: TranscriptCursor.optional() });

export const CreateThreadBody = z
  .strictObject({
    agentId: AgentId,
    /** A test thread: each of its runs uses the agent's draft as of the run's start. For admins. */
    draft: z.boolean().optional(),
    /** With `draft`: the thread starts with this run's message. */
    fromRunId: z.string().min(1).max(200).optional(),
    /** Starts the thread in this project, if the caller may write there. */
    projectId: z.string().min(1).max(200).optional(),
    /** `thread`: its own files; `project`: those of its project. Default: as in the agent's backend.scope. */
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
  /** Moves the thread into this project, or with null out of its project. */
  projectId: z.string().min(1).max(200).nullable().optional(),
  /** The thread's own agent, or null for the same: takes the thread back from the agent it was handed over to. */
  activeAgentId: AgentId.nullable().optional(),
});

/** For one answer: a model and an effort that the agent's `choices` allow; by default the agent's own. */
const CHOSEN = { model: z.string().min(1).max(200).optional(), effort: Effort.optional() } as const;

/** POST `/api/threads/{id}/messages` → 202. */
export const SendMessageBody = z
  .strictObject({
    /** May be empty with `files`. */
    content: messageText(z.string()),
    ...CHOSEN,
    /** Another agent, for this answer only; it uses its own files and memory. */
    agentId: AgentId.optional(),
    /** Paths in the workspace: the model is told the files' names, and one with vision is shown the pictures. */
    files: z.array(z.string().min(1).max(4_096)).max(50).optional(),
    /** `steer`: the active run reads it at its next model call, and the reply names that run. */
    mode: SendMode.default("queue"),
  })
  .refine(({ content, files = [] }) => content !== "" || files.length > 0, {
    message: "must not be empty",
    path: ["content"],
  });

/** POST `/api/threads/{id}/messages/{messageId}/edit` → 202: the message reworded, as its own branch. */
export const EditMessageBody = z.strictObject({
  content: messageText(z.string().min(1)),
  ...CHOSEN,
});

export type EditMessageBody = z.infer<typeof EditMessageBody>;

/** POST `/api/threads/{id}/messages/{messageId}/regenerate` → 202: answers the message again. */
export const RegenerateBody = z.strictObject({
  /**
   * May also name one of the agent's fallback models. With an empty body the same model answers with the same effort.
   */
  ...CHOSEN,
  /** For this one reply; by default the agent that answered. */
  agentId: AgentId.optional(),
  /** A published version of that agent; by default its current one. */
  version: z.number().int().min(1).optional(),
  /** That agent's draft, on the thread's own files; for admins. */
  draft: z.boolean().optional(),
});

export type RegenerateBody = z.infer<typeof RegenerateBody>;

/**
 * POST `/api/runs/{id}/continue` and `/retry`: by default what was chosen for that run; may also name a fallback model.
 */
export const ContinueRunBody = z.strictObject(CHOSEN).optional();

export type ContinueRunBody = z.infer<typeof ContinueRunBody>;

/**
 * GET of the same path: what else could answer the message; one of them is the agent that did. `costUsd` is roughly
 * what its answer would have cost, null if the price is unknown; `draft` is for admins.
 */
export const Answerers = z.object({
  agentId: z.string(),
  models: z.array(z.object({ model: z.string(), costUsd: z.number().nullable() })),
  draft: z.object({ revision: z.number() }).nullable(),
});

export type Answerers = z.infer<typeof Answerers>;

/** PUT `/api/threads/{id}/branch`: shows the newest branch with this message (or with the reply being written). */
export const ChooseBranchBody = z.strictObject({ messageId: z.string().min(1).max(200) });

/**
 * GET of the same path: the versions of the last message on the shown branch that has any; none in a thread without
 * branches. Each is chosen by the id of the message or of one of its replies.
 */
export const BranchVersions = z.object({
  versions: z.array(
    z.object({
      messageId: z.string(),
      /** The beginning of the text. */
      text: z.string(),
      createdAt: z.string(),
      isShown: z.boolean(),
      replies: z.array(
        z.object({
          messageId: z.string(),
          status: RunStatus,
          steps: z.number(),
          model: z.string().nullable(),
          /** Null if a price is unknown. */
          costUsd: z.number().nullable(),
          isShown: z.boolean(),
        }),
      ),
    }),
  ),
});
export type BranchVersions = z.infer<typeof BranchVersions>;

/** POST `/api/threads/{id}/fork` → 201: a new thread with everything up to this message. */
export const ForkThreadBody = z.strictObject({
  messageId: z.string().min(1).max(200),
  /** Todos as of the message; files only if the thread has its own. */
  carry: z.strictObject({ files: z.boolean().default(false), todos: z.boolean().default(false) }).optional(),
});

export const ForkThreadReply = z.object({ id: z.string() });

export type ForkThreadBody = z.infer<typeof ForkThreadBody>;

const ThreadState = z.enum(["running", "waiting", "completed", "stopped", "failed"]);

/** Query of GET `/api/threads/export`: comma-separated ids. */
export const ExportThreadsQuery = z.strictObject({
  ids: z
    .string()
    .max(20_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.string().min(1).max(200)).min(1).max(200)),
  format: z.enum(["json", "md"]).default("json"),
});

/**
 * Query of GET `/api/threads`. `q` searches titles and texts, including those of project threads, which are otherwise
 * listed only with their `projectId`; archived threads are listed only on request. Threads that something else than a
 * message started are listed in searches, among the archived ones, and with their `origin`; tests of drafts only so.
 */
export const ThreadQuery = z.strictObject({
  q: z.string().trim().max(200).optional(),
  agentId: AgentId.optional(),
  projectId: z.string().min(1).max(200).optional(),
  /** With `projectId`: only those that the caller started. */
  mine: z.stringbool().optional(),
  archived: z.stringbool().default(false),
  state: ThreadState.optional(),
  origin: ThreadOrigin.optional(),
  /** With `origin`: those of one schedule, heartbeat, webhook or board, or of one agent's draft. */
  triggerId: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
});

export type ThreadQuery = z.infer<typeof ThreadQuery>;

export type UpdateThreadBody = z.infer<typeof UpdateThreadBody>;
