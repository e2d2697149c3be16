import { z } from "zod";
import { ImageRef, type Message, Reasoning, ToolCall } from "@/lib/schema/messages/message";
import type { Database } from "@/lib/server/platform/db/database";
import { type MessageRow, type StoredMessageRow, selectMessages } from "@/lib/server/platform/db/queries/messages";
import { type KnownPath, selectKnownPath, type ThreadPath } from "@/lib/server/platform/db/queries/paths";
import { hashMessage, rememberRow } from "./message-hash";

const Reasonings = z.array(Reasoning);
const ToolCalls = z.array(ToolCall);
const Images = z.array(ImageRef);

/** Everything said on the path, oldest first. The caller has checked who may see the thread. */
export async function loadHistory(database: Database, path: ThreadPath): Promise<Message[]> {
  return loadMessages(database, { ...(await selectKnownPath(database, path)), cut: null });
}

/** The path's messages after its cut, oldest first. */
export async function loadMessages(database: Database, path: KnownPath): Promise<Message[]> {
  return (await selectMessages(database, path, path.cut ?? -1)).map(toMessage);
}

export function toMessage(row: StoredMessageRow): Message {
  const message = readMessage(row);
  if (row.bodyHash !== null) rememberRow(message, { hash: row.bodyHash, position: row.position });
  return message;
}

function readMessage(row: MessageRow): Message {
  const { id, content } = row;
  switch (row.role) {
    case "assistant": {
      const reasoning = row.reasoning === null ? [] : Reasonings.parse(JSON.parse(row.reasoning));
      const toolCalls = row.toolCalls === null ? [] : ToolCalls.parse(JSON.parse(row.toolCalls));
      return { id, role: "assistant", content, toolCalls, ...(reasoning.length > 0 ? { reasoning } : {}) };
    }
    case "tool":
      return {
        id,
        role: "tool",
        content,
        toolCallId: row.toolCallId ?? "",
        name: row.name ?? "",
        ...(row.isError ? { isError: true } : {}),
        ...imagesOf(row),
      };
    case "user":
      return { id, role: "user", content, ...imagesOf(row) };
    case "system":
      return { id, role: row.role, content };
    default:
      throw new Error(`The message ${id} has the unknown role ${row.role}.`);
  }
}

function imagesOf({ images }: MessageRow): { images?: ImageRef[] } {
  return images === null ? {} : { images: Images.parse(JSON.parse(images)) };
}

/** The columns of a message; `id` falls back to `newId`. */
export function toMessageColumns(message: Message, newId: () => string): MessageRow {
  const base = {
    id: message.id ?? newId(),
    role: message.role,
    content: message.content,
    toolCalls: null,
    reasoning: null,
    toolCallId: null,
    name: null,
    isError: false,
    images: null,
    bodyHash: hashMessage(message),
  };
  if (message.role === "assistant") {
    const { toolCalls, reasoning = [] } = message;
    return {
      ...base,
      toolCalls: toolCalls.length === 0 ? null : JSON.stringify(toolCalls),
      reasoning: reasoning.length === 0 ? null : JSON.stringify(reasoning),
    };
  }
  if (message.role === "tool") {
    const { toolCallId, name, isError = false } = message;
    return { ...base, toolCallId, name, isError, images: imagesColumn(message.images) };
  }
  return message.role === "user" ? { ...base, images: imagesColumn(message.images) } : base;
}

function imagesColumn(images: readonly ImageRef[] = []): string | null {
  return images.length === 0 ? null : JSON.stringify(images);
}
