import type { SentInput } from "@/lib/server/engine/run-input";
import { type Services, serviceState } from "@/lib/server/platform/services";

type ReadMessage = (
  threadId: string,
  ownerId: string,
  content: string,
) => Promise<Pick<SentInput, "content" | "images">>;

const reader = serviceState("message-pictures", () => ({ read: null as ReadMessage | null }));

/** Sets how pictures are found among the files that a message names; without it they stay files. */
export function setMessageReader(services: Services, read: ReadMessage): void {
  reader(services).read = read;
}

/** The message with the pictures among its attached files, stored as they are now. */
export async function withPictures(services: Services, threadId: string, ownerId: string, content: string) {
  return (await reader(services).read?.(threadId, ownerId, content)) ?? { content };
}
