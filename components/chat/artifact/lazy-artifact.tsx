"use client";
import { lazy, Suspense } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { ArtifactRegionProps } from "./artifact-region";

const Region = lazy(async () => ({
  default: (await loadWithRetry(() => import("./artifact-region"))).ArtifactRegion,
}));

/** A file beside the conversation, with the first one that is opened. */
export function LazyArtifact(props: ArtifactRegionProps) {
  return (
    <Suspense>
      <Region {...props} />
    </Suspense>
  );
}
