"use client";
import { lazy, type ReactNode, Suspense } from "react";
import type { ShownFile } from "@/lib/client/files/artifact/use-shown-file";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

const Region = lazy(async () => ({
  default: (await loadWithRetry(() => import("./artifact-region"))).ArtifactRegion,
}));

export interface LazyArtifactProps {
  threadId: string;
  file: ShownFile;
  /** False for people with read access only. */
  mayChange: boolean;
  onAsk: (text: string) => void;
  /** Shown while no file is. */
  otherwise: ReactNode;
}

/** A file beside the conversation, loaded with the first one that is opened. */
export function LazyArtifact({ threadId, file, mayChange, onAsk, otherwise }: LazyArtifactProps) {
  const { path, line, open, close } = file;
  if (path === null) return otherwise;
  return (
    <Suspense>
      <Region {...{ threadId, path, line, mayChange }} onOpen={open} onAsk={mayChange ? onAsk : null} onClose={close} />
    </Suspense>
  );
}
