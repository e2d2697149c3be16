import { z } from "zod";

/** A member's rights: readers read, writers also start threads and send, owners also change the project. */
export const ProjectRole = z.enum(["owner", "write", "read"]);
export type ProjectRole = z.infer<typeof ProjectRole>;

/** The files a thread works on: its own, or its project's. */
export const FileScope = z.enum(["thread", "project"]);
export type FileScope = z.infer<typeof FileScope>;

/** A thread's facts about its project. */
export const ThreadProject = z.object({
  id: z.string(),
  name: z.string(),
  /** The caller's role. */
  role: ProjectRole,
  files: FileScope,
  /** Who started the thread. */
  startedBy: z.object({ id: z.string(), name: z.string() }),
  /** The person a reader can ask for write access. */
  ownerName: z.string(),
});
export type ThreadProject = z.infer<typeof ThreadProject>;

/** What the tools of a thread's agent may do with its files: `none` if it has no backend. */
const FileAccess = z.enum(["write", "read", "none"]);
export type FileAccess = z.infer<typeof FileAccess>;

/** What a project's list says of a thread; all but the files is of its latest run, `steps` up to the current one. */
export const ProjectThreadSummary = z.object({
  fileAccess: FileAccess,
  steps: z.number(),
  /** What it waits for: approval, question, budget or connect. */
  waitingFor: z.string().nullable(),
  errorCode: z.string().nullable(),
  /** The name of the person who stopped it. */
  cancelledBy: z.string().nullable(),
});
export type ProjectThreadSummary = z.infer<typeof ProjectThreadSummary>;
