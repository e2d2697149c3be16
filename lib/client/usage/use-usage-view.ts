"use client";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import { dayOf, daysFrom } from "./usage-days";

export const USAGE_PERIODS = [
  { id: "7d", name: "Last 7 days", days: 7 },
  { id: "30d", name: "Last 30 days", days: 30 },
  { id: "90d", name: "Last 90 days", days: 90 },
] as const;

export const USAGE_GROUPS = [
  { id: "agent", name: "By day, agent", word: "Agent" },
  { id: "version", name: "By day, version", word: "Version" },
  { id: "user", name: "By day, user", word: "User" },
  { id: "group", name: "By day, group", word: "Group" },
  { id: "model", name: "By day, model", word: "Model" },
  { id: "key", name: "By day, API key", word: "API key" },
  { id: "origin", name: "By day, origin", word: "Origin" },
] as const;

const URL_STATE = {
  period: parseAsStringLiteral(USAGE_PERIODS.map(({ id }) => id)).withDefault("30d"),
  by: parseAsStringLiteral(USAGE_GROUPS.map(({ id }) => id)).withDefault("agent"),
};

/** The page's period, from its URL: the days, ending today, in this browser's time zone; null on the server. */
export function useUsageView() {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const now = useHalfMinute();
  const today = now === null ? null : dayOf(new Date(now));
  const count = USAGE_PERIODS.find(({ id }) => id === url.period)?.days ?? 30;
  const scope = useMemo(() => (today === null ? null : scopeOf(today, count)), [today, count]);
  return { url, setUrl, scope };
}

export type UsageView = ReturnType<typeof useUsageView>;

function scopeOf(today: string, count: number) {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const at = (offset: number) => new Date(year, month - 1, day + offset);
  const first = at(1 - count);
  return {
    days: daysFrom(first, count).map(dayOf),
    today,
    from: first.toISOString(),
    to: at(1).toISOString(),
    /** The equally long period right before. */
    before: { from: at(1 - 2 * count).toISOString(), to: first.toISOString() },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
