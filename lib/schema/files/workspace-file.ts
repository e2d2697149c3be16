import { z } from "zod";
import { VersionName } from "@/lib/schema/agents/agent-version";
import { RowId, RowNumber, VersionNumber } from "@/lib/schema/page-query";

export const FilePath = z.string().max(4_096);

/** Query of the public file routes; `thread_id` (the client's) is needed if the agent's scope is thread. */
export const AgentFileQuery = z.strictObject({
  path: FilePath.default(""),
  thread_id: z.string().max(200).optional(),
  /** The version of the agent whose settings say where the files are. */
  version: VersionName.optional(),
});
export type AgentFileQuery = z.infer<typeof AgentFileQuery>;

export const FileList = z.object({
  path: z.string(),
  entries: z.array(z.object({ name: z.string(), type: z.enum(["file", "dir", "link"]), size: z.number() })),
  /** Entries of a huge folder that are not listed. */
  omitted: z.number().optional(),
  /** Other threads that work on the same files; absent if there are none. */
  sharedThreads: z.number().optional(),
  /** False: the thread's agent has no workspace, so there are never any files. */
  hasWorkspace: z.literal(false).optional(),
});
export type FileList = z.infer<typeof FileList>;
export const FileText = z.object({ path: z.string(), content: z.string() });
export const UploadedFile = z.object({ path: z.string(), size: z.number() });
export type UploadedFile = z.infer<typeof UploadedFile>;

/** PUT of a text; multipart with `path` and `file` does the same for arbitrary bytes. */
export const UploadBody = z.strictObject({ path: FilePath.min(1), content: z.string() });

export const ThreadFileQuery = z.strictObject({ path: FilePath.default("") });
export const RequiredPathQuery = z.strictObject({ path: FilePath.min(1) });
export const FileContentQuery = RequiredPathQuery.extend({
  /** A stored version instead of the file as it is now. */
  version: VersionNumber.optional(),
});

/** A page of a thread's workspace, now or at a version. */
export const FramedFileQuery = FileContentQuery.extend({ thread: RowId });

/** The changes to one file by a thread's runs and its owner: the latest operation, and line counts over all changes. */
export const ChangedFile = z.object({
  path: z.string(),
  operation: z.enum(["created", "changed", "deleted"]),
  version: z.number(),
  addedLines: z.number(),
  removedLines: z.number(),
  changedAt: z.string(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;
export const ChangedFileList = z.object({ files: z.array(ChangedFile) });

/**
 * The files one run wrote. `threadId` opens the files; `isShared` if they belong to the thread that the run works for.
 */
export const RunFiles = z.object({
  threadId: z.string(),
  isShared: z.boolean(),
  agentName: z.string(),
  files: z.array(ChangedFile),
});
export type RunFiles = z.infer<typeof RunFiles>;

/**
 * `author`: `agent` in a run, for `authorName`; a `user`; `seeded` for a new user; `outside` if nobody here wrote it.
 * `isOwn`: the run is the viewer's, so they may open it.
 */
export const FileVersion = z.object({
  version: z.number(),
  sizeBytes: z.number(),
  deleted: z.boolean(),
  addedLines: z.number(),
  removedLines: z.number(),
  author: z.enum(["agent", "user", "seeded", "outside"]),
  authorName: z.string().nullable(),
  isOwn: z.boolean(),
  runId: z.string().nullable(),
  spanId: z.string().nullable(),
  threadId: z.string().nullable(),
  createdAt: z.string(),
});
export type FileVersion = z.infer<typeof FileVersion>;
export const FileVersionList = z.object({ path: z.string(), versions: z.array(FileVersion) });

/** `from` 0 is the empty file; without `from` the version before `to`, without `to` the latest. */
export const FileDiffQuery = RequiredPathQuery.extend({
  from: RowNumber.min(0).optional(),
  to: VersionNumber.optional(),
});
/** `patch` is a unified diff, null if either side is not text. */
export const FileDiff = z.object({ path: z.string(), from: z.number(), to: z.number(), patch: z.string().nullable() });
export type FileDiff = z.infer<typeof FileDiff>;

/** The message whose reply's end marks the time in question. */
export const FilesThenQuery = z.strictObject({ message: RowId });
/**
 * A thread's files as they were when a run ended; while it has not, `at` is null and the files are current. `since` is
 * what later happened to a file; one that is not `isKept` can no longer be opened.
 */
export const FilesThen = z.object({
  at: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      version: z.number(),
      sizeBytes: z.number(),
      since: z.enum(["same", "changed", "deleted"]),
      isKept: z.boolean(),
    }),
  ),
  /** There are more files than are listed. */
  isCut: z.boolean(),
});
export type FilesThen = z.infer<typeof FilesThen>;
