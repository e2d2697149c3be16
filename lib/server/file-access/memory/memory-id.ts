import { AppError } from "@/lib/schema/app-error";

/** A file of a workspace. */
export interface DocumentKey {
  readonly workspaceId: string;
  readonly path: string;
}

const PREFIX = "md_";

/** The id encodes workspace and path, because a document is just a file with versions and has no row. */
export function memoryId({ workspaceId, path }: DocumentKey): string {
  return PREFIX + Buffer.from(`${workspaceId}/${path}`).toString("base64url");
}

/** The workspace and path of an id. Throws `not_found` for a malformed one. */
export function parseMemoryId(id: string): DocumentKey {
  const text = id.startsWith(PREFIX) ? Buffer.from(id.slice(PREFIX.length), "base64url").toString() : "";
  const slash = text.indexOf("/");
  const key = { workspaceId: text.slice(0, slash), path: text.slice(slash + 1) };
  if (slash < 1 || key.path === "" || memoryId(key) !== id) throw noDocument();
  return key;
}

export function noDocument(): AppError {
  return new AppError("not_found", "There is no such memory document.");
}
