import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { formatCost } from "@/lib/client/ui/text/format";
import { Answerers } from "@/lib/schema/threads/thread-requests";
import type { MessagePlace } from "./branch-actions";

/** What else could answer a message, read when a menu or card asks. */
export function answerersQuery({ threadId, messageId }: MessagePlace) {
  const path = `/api/threads/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/regenerate`;
  return queryOptions({
    queryKey: ["answerers", threadId, messageId],
    queryFn: ({ signal }) => callJson(Answerers, path, { signal }),
    staleTime: 30_000,
    retry: false,
  });
}

/** What such an answer would cost, as far as that is known. */
export function costWords(costUsd: number | null): string {
  if (costUsd === null) return "price unknown";
  return costUsd === 0 ? "" : `about ${formatCost(costUsd)}`;
}
