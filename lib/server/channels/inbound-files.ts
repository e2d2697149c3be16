import "server-only";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import { openThreadFiles, writeBytes } from "@/lib/server/file-access/user-files";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import type { InboundMessage } from "@/lib/server/triggers/channels/channel";

const READ_TIMEOUT_MS = 60_000;

/** Stores a message's files in the thread's workspace; returns its text with the files named below it. */
export async function storeFiles(
  services: Services,
  threadId: string,
  userId: string,
  message: InboundMessage,
): Promise<string> {
  if (message.files.length === 0) return message.text;
  const stored: { path: string; sizeBytes: number }[] = [];
  const lost: string[] = [];
  for (const file of message.files) {
    try {
      const bytes = await file.read(AbortSignal.timeout(READ_TIMEOUT_MS));
      const files = await openThreadFiles(services, threadId, { id: userId }, "write");
      const { path, size } = await writeBytes(services, files, `uploads/${safeName(file.name)}`, bytes);
      stored.push({ path, sizeBytes: size });
    } catch (error) {
      logger().warn({ err: error, threadId }, "could not keep a file that came in a chat");
      lost.push(file.name);
    }
  }
  const missing = lost.length === 0 ? "" : `[Not received: ${lost.join(", ")}]`;
  return nameAttached([message.text, missing].filter(Boolean).join("\n\n"), stored);
}

/** A name that is safe as a single file name in a folder. */
function safeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  const clean = base
    .replace(/[\p{C}]/gu, "")
    .replace(/^\.+/, "")
    .trim();
  return clean.slice(-120) || "file";
}
