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

const LINE_PREFIX = "ml_";

/** A line of a document: the hash of its text (`lineHash`) and the version that it came with. */
export interface LineKey extends DocumentKey {
  readonly version: number;
  readonly hash: string;
}

export function memoryLineId({ workspaceId, version, hash, path }: LineKey): string {
  return LINE_PREFIX + Buffer.from(`${version}/${hash}/${workspaceId}/${path}`).toString("base64url");
}

/** The line of an id. Throws `not_found` for a malformed one. */
export function parseMemoryLineId(id: string): LineKey {
  const text = id.startsWith(LINE_PREFIX) ? Buffer.from(id.slice(LINE_PREFIX.length), "base64url").toString() : "";
  const [version = "", hash = "", workspaceId = "", ...path] = text.split("/");
  const key = { version: Number(version), hash, workspaceId, path: path.join("/") };
  if (key.path === "" || !Number.isInteger(key.version) || memoryLineId(key) !== id) throw noLine();
  return key;
}

export function noLine(): AppError {
  return new AppError("not_found", "There is no such line in this memory.");
}

export function noDocument(): AppError {
  return new AppError("not_found", "There is no such memory document.");
}
