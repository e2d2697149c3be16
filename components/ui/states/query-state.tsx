"use client";
import { type ReactNode, useState } from "react";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { ApiError } from "@/lib/client/http/api";
import { summarizeError } from "@/lib/client/http/error-summary";
import { usePointerHeld } from "@/lib/client/ui/input/use-pointer-held";

export interface QueryStateProps<Data> {
  /** Names the content that is loading: "agents". */
  what: string;
  query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** Of the list while it loads; default: 8. */
  rows?: number;
  /** What an error does not stop: "They keep running." */
  unharmed?: string;
  /** In place of an error that says that there is no such thing. */
  gone?: ReactNode;
  /** In place of data that has nothing to show. */
  empty?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  children?: (data: Data) => ReactNode;
}

/**
 * Loading in the shape of a list, an error with its code and a retry, that it is gone, that it is empty, or the data.
 * The change from one to another waits while a pointer is down, so that what stands below does not move from under a
 * click.
 */
export function QueryState<Data>(props: QueryStateProps<Data>) {
  const { what, query, rows = 8, empty, isEmpty = isEmptyList, children } = props;
  const isHeld = usePointerHeld();
  const isLoading = query.data === undefined && query.error === null;
  const [wasLoading, setWasLoading] = useState(isLoading);
  if (!isHeld && wasLoading !== isLoading) setWasLoading(isLoading);
  const isWaiting = isHeld && wasLoading;
  if (query.data !== undefined && !isWaiting) {
    return empty !== undefined && isEmpty(query.data) ? empty : children?.(query.data);
  }
  if (query.error === null || isWaiting) return <SkeletonList label={`Loading ${what}`} rows={rows} className="p-2" />;
  return <Unread {...props} />;
}

function Unread<Data>({ what, query, unharmed = "", gone }: QueryStateProps<Data>) {
  if (gone !== undefined && query.error instanceof ApiError && query.error.status === 404) return gone;
  const { message, ...facts } = summarizeError(query.error);
  const title = `The ${what} could not be loaded${unharmed === "" ? "" : `. ${unharmed}`}`;
  return (
    <ErrorState title={title} {...facts} onRetry={() => void query.refetch()}>
      {message}
    </ErrorState>
  );
}

function isEmptyList(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}
