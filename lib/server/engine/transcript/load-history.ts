import { z } from "zod";
import { type Message, Reasoning, ToolCall } from "@/lib/schema/messages/message";
import type { Database } from "@/lib/server/platform/db/database";
import { type MessageRow, type StoredMessageRow, selectMessages } from "@/lib/server/platform/db/queries/messages";
import { hashMessage, rememberRow } from "./message-hash";

const Reasonings = z.array(Reasoning);
const ToolCalls = z.array(ToolCall);

/**
 * The thread's messages as the model's history, oldest first; those after position `after` when one is given. The
 * caller has checked who may see the thread.
 */
export async function loadHistory(
  database: Database,
  threadId: string,
  after: number | null = null,
): Promise<Message[]> {
  return (await selectMessages(database, threadId, after ?? -1)).map(toMessage);
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
      };
    case "user":
    case "system":
      return { id, role: row.role, content };
    default:
      throw new Error(`The message ${id} has the unknown role ${row.role}.`);
  }
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
    return { ...base, toolCallId: message.toolCallId, name: message.name, isError: message.isError ?? false };
  }
  return base;
}
