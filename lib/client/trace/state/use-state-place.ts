"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { STATE_PARTS } from "./state-changes";
import type { StepStop } from "./step-stops";

const URL_STATE = {
  step: parseAsInteger,
  with: parseAsInteger,
  part: parseAsStringLiteral(STATE_PARTS).withDefault("files"),
  file: parseAsString,
};

/** What is shown of a run's states, kept in the URL: a step, the one it is compared with, a part, a file. */
export function useStatePlace(stops: readonly StepStop[]) {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const last = stops.length - 1;
  const indexOf = (step: number | null) => stops.findIndex((stop) => stop.step === step);
  const index = indexOf(url.step) < 0 ? last : indexOf(url.step);
  const chosen = indexOf(url.with);
  const otherIndex = chosen < 0 || chosen === index ? index - 1 : chosen;
  const at = (place: number) => stops[Math.min(Math.max(place, 0), last)]?.step ?? null;
  return {
    stop: stops[index],
    /** Undefined for the first, which has none before it. */
    other: stops[otherIndex],
    index,
    otherIndex,
    part: url.part,
    file: url.file,
    show: (place: number) => void setUrl({ step: at(place) }),
    compare: (place: number) => void setUrl({ with: at(place) }),
    setPart: (part: (typeof STATE_PARTS)[number]) => void setUrl({ part }),
    setFile: (file: string | null) => void setUrl({ file, part: null }),
  };
}

export type StatePlace = ReturnType<typeof useStatePlace>;
