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
