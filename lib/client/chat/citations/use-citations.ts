"use client";
import { type ReactNode, useEffect, useState } from "react";
import type { Source } from "./sources";

type Draw = (words: string) => ReactNode;

/**
 * Few replies cite pages: the code that draws citations is loaded by `load` with the first one that does. Null until
 * then.
 */
export function useCitations(sources: readonly Source[], load: () => Promise<(sources: readonly Source[]) => Draw>) {
  const [drawn, setDrawn] = useState<{ sources: readonly Source[]; draw: Draw } | null>(null);
  // Steps are recreated with each word; pages arrive one by one.
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
