"use client";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback } from "react";

const URL_STATE = {
  tab: parseAsString.withDefault("basics"),
  /** Versions to compare: a number, or `draft`. */
  from: parseAsString,
  to: parseAsString,
  /** A run to replay with the draft. */
  run: parseAsString,
};

/** The place in the editor, kept in the URL, so that a link shows the same. */
export function useEditorPlace() {
  const [{ tab, from, to, run: fromRunId }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  return {
    tab,
    from,
    to,
    fromRunId,
    forgetRun: useCallback(() => void setUrl({ run: null }), [setUrl]),
    openTab: (id: string) => void setUrl({ tab: id, from: null, to: null }),
    compare: (sides: { from?: string; to?: string }) => void setUrl({ tab: "versions", ...sides }),
  };
}
