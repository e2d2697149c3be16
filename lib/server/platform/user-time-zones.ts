import { processState } from "./process-state";

const chosen = () => processState("user-time-zones", () => new Map<string, string>());

/** The zone that a person has chosen; undefined: the server's. Known without a statement, in every process. */
export function timeZoneOfUser(userId: string): string | undefined {
  return chosen().get(userId);
}

/** Replaces what is known, after a change by any process. */
export function setUserTimeZones(zones: readonly { readonly id: string; readonly timeZone: string | null }[]): void {
  const known = chosen();
  known.clear();
  for (const { id, timeZone } of zones) if (timeZone !== null) known.set(id, timeZone);
}

export function serverTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
