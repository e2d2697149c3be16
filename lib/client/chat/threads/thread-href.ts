import type { ThreadListItem } from "@/lib/schema/threads/thread";

/** The thread's page; one found by a message opens there. */
export function threadHref({ id, snippet }: Pick<ThreadListItem, "id" | "snippet">): string {
  return snippet === undefined ? `/threads/${id}` : `/threads/${id}?at=${encodeURIComponent(snippet.messageId)}`;
}
