import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { RowId, RowNumber, VersionNumber } from "@/lib/schema/page-query";
import { RunVersion } from "@/lib/schema/runs/run-version";

/** The kind of a memory document (D-21). */
export const MemoryKind = z.enum(["agent", "long_term", "daily", "bootstrap"]);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** The most characters that a document may have; a run reads less of it, as `cut` says. */
const MAX_CONTENT_CHARS = 1_000_000;

/** A document's exact text: nothing is trimmed, because every character may belong to a version. */
const DocumentText = z
  .string()
  .max(MAX_CONTENT_CHARS)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "must not contain NUL or half characters");

/** A document's id says which file of which workspace it is. */
export const MemoryId = z.string().min(1).max(4_096);

/**
 * The author of a version: the agent in a run, a person, a run that put templates there for a new user (`seeded`), or
 * someone outside the installation.
 */
export const MemoryAuthor = z.enum(["agent", "user", "seeded", "outside"]);
export type MemoryAuthor = z.infer<typeof MemoryAuthor>;

const Whose = {
  agentId: z.string(),
  agentName: z.string(),
  /** Null if all users of the agent share its files. */
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  /** Set if each thread has its own files. */
  threadId: z.string().nullable(),
};

export const MemoryDocument = z.object({
  id: z.string(),
  path: z.string(),
  kind: MemoryKind,
  ...Whose,
  sizeChars: z.number(),
  version: z.number(),
  updatedAt: z.string(),
  updatedBy: z.object({ author: MemoryAuthor, name: z.string().nullable(), runId: z.string().nullable() }),
});
export type MemoryDocument = z.infer<typeof MemoryDocument>;
export const MemoryDocumentList = z.object({
  documents: z.array(MemoryDocument),
  nextCursor: z.string().nullable(),
});
export type MemoryDocumentList = z.infer<typeof MemoryDocumentList>;

const Filters = { agentId: AgentId.optional(), userId: RowId.optional() };

/** `userId` also finds what all users of an agent share. */
export const MemoryListQuery = z.strictObject({
  ...Filters,
  kind: MemoryKind.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  cursor: z.string().max(6_000).optional(),
});
export type MemoryListQuery = z.output<typeof MemoryListQuery>;

/** The part of a document that a model doesn't see: the characters from `from` up to `to`. */
const MemoryCut = z.object({ from: z.number(), to: z.number(), reason: z.string() });
export type MemoryCut = z.infer<typeof MemoryCut>;

/**
 * A document with its text. `inPrompt`: whether a run's system prompt contains it; `first_chat`: only in a person's
 * first chat with the agent.
 */
export const MemoryDetail = MemoryDocument.extend({
  content: z.string(),
  tokens: z.number(),
  inPrompt: z.enum(["always", "first_chat", "no"]),
  cut: MemoryCut.nullable(),
});
export type MemoryDetail = z.infer<typeof MemoryDetail>;

/** PUT `/api/memory/{id}`: `version` is the one that was read. */
export const SaveMemoryBody = z.strictObject({ content: DocumentText, version: RowNumber.min(0) });
export type SaveMemoryBody = z.infer<typeof SaveMemoryBody>;

/** POST `/api/memory`: `userId` defaults to the caller; `threadId` applies if each thread has its own files. */
export const CreateMemoryBody = z.strictObject({
  agentId: AgentId,
  userId: RowId.optional(),
  threadId: RowId.optional(),
  path: z.string().min(1).max(1_024),
  content: DocumentText,
});
export type CreateMemoryBody = z.infer<typeof CreateMemoryBody>;

export const RestoreMemoryBody = z.strictObject({ version: VersionNumber });

/** A version with its author and run; `run` is null if there is none, or the viewer may not open it. */
export const MemoryVersion = z.object({
  version: z.number(),
  at: z.string(),
  author: MemoryAuthor,
  authorId: z.string().nullable(),
  authorName: z.string().nullable(),
  runId: z.string().optional(),
  spanId: z.string().optional(),
  run: z
    .object({
      traceId: z.string(),
      threadId: z.string(),
      title: z.string().nullable(),
      agentVersion: RunVersion,
      isFlush: z.boolean(),
      isOwn: z.boolean(),
    })
    .nullable(),
  sizeBytes: z.number(),
  deleted: z.boolean(),
  addedLines: z.number(),
  removedLines: z.number(),
  /** The earlier version with the same text. */
  restoredVersion: z.number().nullable(),
});
export type MemoryVersion = z.infer<typeof MemoryVersion>;
export const MemoryVersionList = z.object({ versions: z.array(MemoryVersion), nextCursor: z.string().nullable() });

/** `from` 0 is the empty document; without `from` the version before `to`, without `to` the latest. */
export const MemoryDiffQuery = z.strictObject({ from: RowNumber.min(0).optional(), to: VersionNumber.optional() });
export type MemoryDiffQuery = z.infer<typeof MemoryDiffQuery>;

/** Names a line of a document: by its text, and by the version that it came with. */
export const MemoryLineId = z.string().min(1).max(4_200);

/** For one line of the current text, the version that introduced it. A person's line has no `runId`. */
export const MemoryBlame = z.array(
  z.object({
    id: z.string(),
    line: z.number(),
    text: z.string(),
    version: z.number(),
    author: MemoryAuthor,
    authorName: z.string().nullable(),
    runId: z.string().optional(),
    spanId: z.string().optional(),
    at: z.string(),
  }),
);
export type MemoryBlame = z.infer<typeof MemoryBlame>;

/**
 * GET `/api/memory/lines/{id}/uses`: how many prompts of recorded model calls contained the line since `since`: since it
 * was written, or since the first prompt that is still recorded, if that is later. Recently used threads first; those
 * that the viewer may not read, and those beyond 50, are only counted. `changes`: the thread's last prompt had the line,
 * so withdrawing it changes the next.
 */
export const MemoryLineUses = z.object({
  prompts: z.number(),
  threads: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      prompts: z.number(),
      lastAt: z.string(),
      changes: z.boolean(),
    }),
  ),
  otherThreads: z.number(),
  /** Of all threads, those also that are not named. */
  changedThreads: z.number(),
  since: z.string(),
});
export type MemoryLineUses = z.infer<typeof MemoryLineUses>;

export const MemorySearchQuery = z.strictObject({ q: z.string().trim().min(1).max(200), ...Filters });
export type MemorySearchQuery = z.infer<typeof MemorySearchQuery>;
export const MemorySearchResults = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      kind: MemoryKind,
      ...Whose,
      /** From 1. */
      line: z.number(),
      text: z.string(),
    }),
  ),
});
export type MemorySearchResults = z.infer<typeof MemorySearchResults>;

export const MemoryDaysQuery = z.strictObject({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must look like 2026-11"),
  ...Filters,
});
export type MemoryDaysQuery = z.infer<typeof MemoryDaysQuery>;
/** The days of the month that have notes, earliest first. */
export const MemoryDays = z.object({
  month: z.string(),
  days: z.array(z.object({ date: z.string(), documents: z.array(MemoryDocument) })),
});
export type MemoryDays = z.infer<typeof MemoryDays>;

/** GET `/api/memory/templates`: the initial text of the prompt's files, by name. */
export const MemoryTemplates = z.object({ templates: z.array(z.object({ path: z.string(), content: z.string() })) });
