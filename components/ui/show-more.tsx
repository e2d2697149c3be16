"use client";
import { Button } from "./controls/button";

export interface ShowMoreProps {
  query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  label?: string;
  className?: string;
}

/** Below a list that loads page by page; nothing once everything is loaded. */
export function ShowMore({ query, label = "Show more", className }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button className="w-full" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
