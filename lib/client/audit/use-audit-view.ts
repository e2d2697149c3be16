"use client";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { serverNowMs } from "@/lib/client/http/server-clock";
import type { AuditFilters } from "@/lib/schema/audit";

const DAY_MS = 86_400_000;

export const AUDIT_PERIODS = [
  { id: "all", name: "All time", ms: null },
  { id: "24h", name: "Last 24 hours", ms: DAY_MS },
  { id: "7d", name: "Last 7 days", ms: 7 * DAY_MS },
  { id: "30d", name: "Last 30 days", ms: 30 * DAY_MS },
] as const;

const URL_STATE = {
  q: parseAsString.withDefault(""),
  period: parseAsStringLiteral(AUDIT_PERIODS.map(({ id }) => id)).withDefault("all"),
  actor: parseAsString.withDefault(""),
  target: parseAsString.withDefault(""),
  /** Shows only this entry. */
  only: parseAsString.withDefault(""),
  entry: parseAsString.withDefault(""),
};

/** The page's view, all of it in its URL. */
export function useAuditView() {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const { q, period, actor, target, only } = url;
  const filters = useMemo((): AuditFilters => {
    const ms = AUDIT_PERIODS.find(({ id }) => id === period)?.ms ?? null;
    return {
      ...(q === "" ? {} : { q }),
      ...(actor === "" ? {} : { actor }),
      ...(target === "" ? {} : { target }),
      ...(only === "" ? {} : { id: only }),
      // To the minute: a URL that changes with every render would never hit the cache.
      ...(ms === null ? {} : { from: new Date(Math.floor((serverNowMs() - ms) / 60_000) * 60_000).toISOString() }),
    };
  }, [q, period, actor, target, only]);
  const isFiltered = q !== "" || period !== "all" || actor !== "" || target !== "" || only !== "";
  const clear = () => void setUrl({ q: null, period: null, actor: null, target: null, only: null });
  return { url, setUrl, filters, isFiltered, clear };
}

export type AuditView = ReturnType<typeof useAuditView>;
