"use client";
import type { ReactNode } from "react";
import { SkeletonList } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state-block";
import { ApiError, errorMessage } from "@/lib/client/api";

export interface QueryStateProps<Data> {
  /** What is loaded, in words: "agents". */
  what: string;
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** Loading in the shape of a list, an error with its code and a retry, or the data. */
export function QueryState<Data>({ what, query, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <SkeletonList label={`Loading ${what}`} rows={8} className="p-2" />;
  const refusal = query.error instanceof ApiError ? query.error : null;
  return (
    <ErrorState
      title={`The ${what} could not be loaded`}
      code={refusal ? `${refusal.status} · ${refusal.code}` : undefined}
      requestId={refusal?.requestId}
      onRetry={() => void query.refetch()}
    >
      {errorMessage(query.error)}
    </ErrorState>
  );
}
