"use client";
import { parseAsString, useQueryStates } from "nuqs";

const URL_STATE = {
  tab: parseAsString.withDefault("basics"),
  /** Versions to compare: a number, or `draft`. */
  from: parseAsString,
  to: parseAsString,
};

/** Where in the editor somebody is: kept in the URL, so that a link shows the same. */
export function useEditorPlace() {
  const [{ tab, from, to }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  return {
    tab,
    from,
    to,
    openTab: (id: string) => void setUrl({ tab: id, from: null, to: null }),
    compare: (sides: { from?: string; to?: string }) => void setUrl({ tab: "versions", ...sides }),
  };
}
