"use client";
import { useQuery } from "@tanstack/react-query";
import { percentileQuery } from "@/lib/client/trace/percentile/percentile-queries";
import { percentileSentence } from "@/lib/client/trace/percentile/percentile-sentence";

interface CallPercentileProps {
  traceId: string;
  spanId: string;
  className?: string;
}

/** How long an ended tool call took beside others of its tool; nothing below 20 of them. */
export function CallPercentile({ traceId, spanId, className }: CallPercentileProps) {
  const { data } = useQuery(percentileQuery(traceId, spanId));
  const words = data ? percentileSentence(data) : null;
  return words === null ? null : <p className={className}>{words}</p>;
}
