"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import type { Span } from "@/lib/schema/traces/span";
import type { SpanBody } from "@/lib/schema/traces/span-body";
import { spanQuery } from "./trace-queries";

/** The open span's body as loaded so far. */
export interface BodyState {
  readonly data: SpanBody | null;
  readonly error: string | null;
  readonly isOpeningEarlier: boolean;
  readonly onRetry: () => void;
}

/** Loads the open span; the earlier messages only once somebody requested them for this span. */
export function useSpanBody(traceId: string, span: Span | null): BodyState & { readonly openEarlier: () => void } {
  const [earlierOf, setEarlierOf] = useState<string | null>(null);
  const withEarlier = span !== null && earlierOf === span.id;
  const version = span?.endedAtMs === null ? "open" : String(span?.endedAtMs);
  const query = useQuery({
    ...spanQuery({ traceId, spanId: span?.id ?? "", version, withEarlier }),
    enabled: span !== null,
  });
  return {
    data: query.data ?? null,
    error: query.error && !query.data ? errorMessage(query.error) : null,
    isOpeningEarlier: withEarlier && query.isFetching && !query.data?.modelCall?.request?.earlier,
    onRetry: () => void query.refetch(),
    openEarlier: () => setEarlierOf(span?.id ?? null),
  };
}
