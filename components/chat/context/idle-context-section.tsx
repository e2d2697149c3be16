"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { changedFilesQuery, folderQuery } from "@/lib/client/files/file-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useIdle } from "@/lib/client/ui/use-idle";
import type { ContextSectionProps } from "./context-section";

const Section = lazy(async () => ({
  default: (await loadWithRetry(() => import("./context-section"))).ContextSection,
}));

/** Loaded once the page is idle, and the files above it are known and no longer move it. */
export function IdleContextSection(props: ContextSectionProps) {
  const { threadId } = props.moment;
  const files = useQuery(folderQuery(threadId, ""));
  const changed = useQuery(changedFilesQuery(threadId));
  const isIdle = useIdle();
  return isIdle && !files.isPending && !changed.isPending ? (
    <Suspense>
      <Section {...props} />
    </Suspense>
  ) : null;
}
