import "server-only";
import { imageInfo, MAX_IMAGE_BYTES } from "@/lib/agent/workspace/image-file";
import { readNamedPicture } from "@/lib/agent/workspace/pictures/check-picture";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { AppError } from "@/lib/schema/app-error";
import { ATTACHED_LEAD, nameAttached, splitAttached } from "@/lib/schema/messages/attached-files";
import type { ImageRef } from "@/lib/schema/messages/message";
import type { Reader } from "@/lib/schema/users/user";
import { keepImage } from "@/lib/server/files/thread-images";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { openThreadFiles, type UserFiles } from "./user-files";

/** The maximum per message. */
const MAX_IMAGES = 20;
const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|hei[cf]|avif|tiff?|bmp)$/iu;

interface SentWithFiles {
  readonly content: string;
  /** Paths in the workspace. */
  readonly files?: readonly string[] | undefined;
  /** The agent that answers the message, if not the thread's agent. */
  readonly agentId?: string | undefined;
}

/**
 * The content sent with a message to the viewer's own thread: its text with the files named below it, as `nameAttached`
 * does, and the pictures among them, stored as they are now. Throws `invalid_input` for a path in `files` that is no
 * file.
 */
export async function readAttached(services: Services, threadId: string, viewer: Reader, sent: SentWithFiles) {
  const { content, files = [] } = sent;
  if (files.length === 0 && !content.includes(ATTACHED_LEAD)) return { content };
  if (files.length > 0 && sent.agentId !== undefined)
    await requireThreadAgent(services.database, threadId, sent.agentId);
  const opened = await openThreadFiles(services, threadId, viewer).catch((error: unknown) => {
    // Text that merely looks like a list of files, sent to an agent without a workspace.
    if (files.length === 0 && error instanceof AppError && error.code === "not_found") return null;
    throw error;
  });
  if (opened === null) return { content };
  const named = await nameFiles(opened, content, files);
  const paths = splitAttached(named).files.map(({ path }) => path);
  const images: ImageRef[] = [];
  for (const path of paths.filter((one) => PICTURE_NAME.test(one)).slice(0, MAX_IMAGES)) {
    const image = await readImage(services.database, opened, threadId, path);
    if (image) images.push(image);
  }
  return images.length > 0 ? { content: named, images } : { content: named };
}

/** Throws `invalid_input` for another agent: the thread's files are not among its own. */
async function requireThreadAgent(database: Database, threadId: string, agentId: string): Promise<void> {
  const thread = await database.thread.findFirst({ where: { id: threadId } });
  const holder = thread?.activeAgentId ?? thread?.agentId;
  if (holder === undefined || holder === agentId) return;
  const message = `Attached files lie with the agent "${holder}"; "${agentId}" has files of its own. Send them without agentId.`;
  throw new AppError("invalid_input", message, { details: [{ path: "files", message }] });
}

/** Files already named in the text are not named again. */
async function nameFiles(opened: UserFiles, content: string, files: readonly string[]): Promise<string> {
  const known = new Set(splitAttached(content).files.map(({ path }) => path));
  const missing: { path: string; sizeBytes: number }[] = [];
  for (const [index, given] of files.entries()) {
    const path = opened.normalize(given);
    const entry = await opened.workspace.stat(path);
    if (entry?.type !== "file") throw noSuchFile(given, index);
    if (!known.has(path)) missing.push({ path, sizeBytes: entry.size });
    known.add(path);
  }
  if (missing.length === 0) return content;
  // Continues the text's existing block of file names.
  const named = nameAttached("", missing);
  if (splitAttached(content).files.length === 0) return nameAttached(content, missing);
  return `${content.trimEnd()}${named.slice(ATTACHED_LEAD.length)}`;
}

function noSuchFile(path: string, index: number): AppError {
  const message = `There is no file ${JSON.stringify(path)} in the workspace. Upload it first.`;
  return new AppError("invalid_input", message, { details: [{ path: `files.${index}`, message }] });
}

/** Null if there is no picture at `path`, regardless of its name, or none that the agent may read. */
async function readImage(
  database: Database,
  { workspace, agentRules, normalize }: UserFiles,
  threadId: string,
  given: string,
) {
  try {
    const path = normalize(given);
    if (agentRules?.mayName(path) === false) return null;
    const { bytes, sizeBytes } = await workspace.read(path, MAX_IMAGE_BYTES);
    const isWhole = bytes.byteLength === sizeBytes;
    const facts = isWhole ? await readNamedPicture(path, bytes) : imageInfo(bytes);
    if (facts === null) return null;
    const hash =
      isWhole && !("problem" in facts)
        ? await keepImage(database, { threadId, bytes, mediaType: facts.mediaType })
        : null;
    return { path, ...facts, hash, sizeBytes } satisfies ImageRef;
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
