"use client";
import type { ReactNode } from "react";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { errorFacts } from "@/lib/client/http/error-facts";

export interface QueryStateProps<Data> {
  /** Names the content that is loading: "agents". */
  what: string;
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** Loading in the shape of a list, an error with its code and a retry, or the data. */
export function QueryState<Data>({ what, query, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <SkeletonList label={`Loading ${what}`} rows={8} className="p-2" />;
  const { message, ...facts } = errorFacts(query.error);
  return (
    <ErrorState title={`The ${what} could not be loaded`} {...facts} onRetry={() => void query.refetch()}>
      {message}
    </ErrorState>
  );
}
