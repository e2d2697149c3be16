"use client";
import { type ReactNode, useEffect, useState } from "react";
import type { Source } from "./sources";

type Draw = (words: string) => ReactNode;

/** Few replies cite pages: what draws it is loaded by `load` with the first that does. Null until then. */
export function useCitations(sources: readonly Source[], load: () => Promise<(sources: readonly Source[]) => Draw>) {
  const [drawn, setDrawn] = useState<{ sources: readonly Source[]; draw: Draw } | null>(null);
  // Steps are made again with each word; pages come one by one.
  const key = sources.map(({ number, output }) => `${number}:${output.length}`).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the sources.
  useEffect(() => {
    if (key === "") return;
    let isWanted = true;
    void load().then((create) => {
      if (isWanted) setDrawn({ sources, draw: create(sources) });
    });
    return () => {
      isWanted = false;
    };
  }, [key]);
  return key === "" || drawn === null ? null : drawn.draw;
}
