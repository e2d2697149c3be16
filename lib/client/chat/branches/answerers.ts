import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { formatCost } from "@/lib/client/ui/text/format";
import { Answerers } from "@/lib/schema/threads/thread-requests";
import type { MessagePlace } from "./branch-actions";

/** The other possible answerers of a message, fetched when a menu or card needs them. */
export function answerersQuery({ threadId, messageId }: MessagePlace) {
  const path = `/api/threads/${encodeURIComponent(threadId)}/messages/${encodeURIComponent(messageId)}/regenerate`;
  return queryOptions({
    queryKey: ["answerers", threadId, messageId],
    queryFn: ({ signal }) => callJson(Answerers, path, { signal }),
    staleTime: 30_000,
    retry: false,
  });
}

/** The cost of such an answer, as far as known. */
export function costText(costUsd: number | null): string {
  if (costUsd === null) return "price unknown";
  return costUsd === 0 ? "" : `about ${formatCost(costUsd)}`;
}
