import type { SentInput } from "@/lib/server/engine/run-input";
import { processState } from "@/lib/server/platform/process-state";

type ReadMessage = (
  threadId: string,
  ownerId: string,
  content: string,
) => Promise<Pick<SentInput, "content" | "images">>;

const reader = () => processState("message-pictures", () => ({ read: null as ReadMessage | null }));

/** Sets how this process finds the pictures among the files that a message names; without it they stay files. */
export function setMessageReader(read: ReadMessage): void {
  reader().read = read;
}

/** The message with the pictures among its attached files, stored as they are now. */
export async function withPictures(threadId: string, ownerId: string, content: string) {
  return (await reader().read?.(threadId, ownerId, content)) ?? { content };
}
