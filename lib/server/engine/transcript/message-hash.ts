import { hash as digest } from "node:crypto";
import type { ImageRef, Message, ToolCall } from "@/lib/schema/messages/message";

interface MessageRowName {
  readonly hash: string;
  /** The row's position in its thread. */
  readonly position: number;
}

const ofRows = new WeakMap<Message, MessageRowName>();
const computed = new WeakMap<Message, string>();

/** Remembers that this message was read from a row that names its hash. */
export function rememberRow(message: Message, row: MessageRowName): void {
  ofRows.set(message, row);
}

/** The thread's row that contains this very message; undefined for any other message. */
export function rowOf(message: Message): MessageRowName | undefined {
  return ofRows.get(message);
}

/** SHA-256 (hex) of `messageBody`, computed once per message. */
export function hashMessage(message: Message): string {
  const known = ofRows.get(message)?.hash ?? computed.get(message);
  if (known !== undefined) return known;
  const hash = digest("sha256", messageBody(message), "hex");
  computed.set(message, hash);
  return hash;
}

/**
 * The message as traces keep it: JSON that `Message` reads, without the row's id and with its fields in a fixed order,
 * so that equal messages are equal texts wherever they come from. Stored hashes depend on it: it must not change.
 */
export function messageBody(message: Message): string {
  const { role, content } = message;
  if (message.role === "assistant") {
    const { toolCalls, reasoning = [] } = message;
    const thoughts = reasoning.map(({ text, providerMetadata }) => ({ text, providerMetadata }));
    return JSON.stringify({
      role,
      content,
      toolCalls: toolCalls.map(orderedCall),
      reasoning: thoughts.length > 0 ? thoughts : undefined,
    });
  }
  if (message.role === "tool") {
    const { toolCallId, name, isError } = message;
    const images = orderedImages(message.images);
    return JSON.stringify({ role, content, toolCallId, name, isError: isError ? true : undefined, images });
  }
  return JSON.stringify({ role, content, images: message.role === "user" ? orderedImages(message.images) : undefined });
}

function orderedImages(images: readonly ImageRef[] = []): ImageRef[] | undefined {
  if (images.length === 0) return undefined;
  return images.map(({ path, mediaType, hash, sizeBytes, width, height, problem }) => ({
    path,
    mediaType,
    hash,
    sizeBytes,
    width,
    height,
    problem,
  }));
}

function orderedCall({ id, name, args, rawArgs, argsError, providerMetadata }: ToolCall): ToolCall {
  return { id, name, args, rawArgs, argsError, providerMetadata };
}
