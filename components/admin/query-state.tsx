"use client";
import { type ReactNode, useState } from "react";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { errorFacts } from "@/lib/client/http/error-facts";
import { usePointerHeld } from "@/lib/client/ui/input/use-pointer-held";

export interface QueryStateProps<Data> {
  /** Names the content that is loading: "agents". */
  what: string;
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/**
 * Loading in the shape of a list, an error with its code and a retry, or the data. The change from one to another waits
 * while a pointer is down, so that what stands below does not move from under a click.
 */
export function QueryState<Data>({ what, query, children }: QueryStateProps<Data>) {
  const isHeld = usePointerHeld();
  const isLoading = query.data === undefined && query.error === null;
  const [wasLoading, setWasLoading] = useState(isLoading);
  if (!isHeld && wasLoading !== isLoading) setWasLoading(isLoading);
  const isWaiting = isHeld && wasLoading;
  if (query.data !== undefined && !isWaiting) return children(query.data);
  if (query.error === null || isWaiting) return <SkeletonList label={`Loading ${what}`} rows={8} className="p-2" />;
  const { message, ...facts } = errorFacts(query.error);
  return (
    <ErrorState title={`The ${what} could not be loaded`} {...facts} onRetry={() => void query.refetch()}>
      {message}
    </ErrorState>
  );
}
