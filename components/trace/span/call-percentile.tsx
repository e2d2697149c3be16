"use client";
import { useQuery } from "@tanstack/react-query";
import { percentileQuery } from "@/lib/client/trace/percentile/percentile-queries";
import { percentileWords } from "@/lib/client/trace/percentile/percentile-words";

interface CallPercentileProps {
  traceId: string;
  spanId: string;
  className?: string;
}

/** How long an ended tool call took beside others of its tool; nothing below 20 of them. */
export function CallPercentile({ traceId, spanId, className }: CallPercentileProps) {
  const { data } = useQuery(percentileQuery(traceId, spanId));
  const words = data ? percentileWords(data) : null;
  return words === null ? null : <p className={className}>{words}</p>;
}
