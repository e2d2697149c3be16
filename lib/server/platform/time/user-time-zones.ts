import { processState } from "@/lib/server/platform/process-state";

const chosen = () => processState("user-time-zones", () => new Map<string, string>());

/** The person's chosen zone; undefined means the server's. Every process knows it without a query. */
export function timeZoneOfUser(userId: string): string | undefined {
  return chosen().get(userId);
}

/** Replaces the known zones after a change by any process. */
export function setUserTimeZones(zones: readonly { readonly id: string; readonly timeZone: string | null }[]): void {
  const known = chosen();
  known.clear();
  for (const { id, timeZone } of zones) if (timeZone !== null) known.set(id, timeZone);
}

export function serverTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
