/** For this tab and this person: what begins so is forgotten as they sign out (browser-person.ts). */
const PREFIX = "ringmaster-form:";
const DAY_MS = 86_400_000;

export type Values = Readonly<Record<string, unknown>>;

/** What a form opened with, and what was typed on it since. */
export interface KeptValues {
  readonly base: Values;
  readonly typed: Values;
}

/** Null without one, after a day, and if the form has other fields by now. */
export function readKept(subject: string | undefined, initial: Values): KeptValues | null {
  if (subject === undefined) return null;
  forgetOld();
  const kept = read(PREFIX + subject);
  return kept !== null && fits(kept.base, initial) && fits(kept.typed, initial) ? kept : null;
}

export function writeKept(subject: string | undefined, { base, typed }: KeptValues): void {
  if (subject === undefined) return;
  try {
    sessionStorage.setItem(PREFIX + subject, JSON.stringify({ atMs: Date.now(), base, typed }));
  } catch {
    // Storage may be full or forbidden; the text then lives as long as its form.
  }
}

export function forgetKept(subject: string | undefined): void {
  if (subject === undefined) return;
  try {
    sessionStorage.removeItem(PREFIX + subject);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

function read(key: string): (KeptValues & { readonly atMs: number }) | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (!isRecord(kept) || typeof kept.atMs !== "number" || !isRecord(kept.base) || !isRecord(kept.typed)) return null;
    return { atMs: kept.atMs, base: kept.base, typed: kept.typed };
  } catch {
    return null;
  }
}

function forgetOld(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && Date.now() - (read(key)?.atMs ?? 0) > DAY_MS) sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

/** The same fields, each of the same kind or null. */
function fits(values: Values, initial: Values): boolean {
  const names = Object.keys(initial);
  if (Object.keys(values).some((name) => !names.includes(name))) return false;
  return names.every((name) => {
    const [one, other] = [values[name], initial[name]];
    if (one === null || other === null) return one !== undefined;
    return typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
  });
}

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
