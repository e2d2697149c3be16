import ipaddr from "ipaddr.js";
import { AppError } from "@/lib/schema/app-error";
import { processState } from "@/lib/server/platform/process-state";

interface Window {
  count: number;
  endsAtMs: number;
}

/** At most `limit` events of one key within `windowMs`. */
export interface RateLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const SIGN_IN_PER_ACCOUNT: RateLimit = { name: "sign-in-account", limit: 10, windowMs: 15 * 60_000 };
export const SIGN_IN_PER_CLIENT: RateLimit = { name: "sign-in-client", limit: 100, windowMs: 15 * 60_000 };
export const SET_UP: RateLimit = { name: "set-up", limit: 10, windowMs: 15 * 60_000 };
/** Bodies without a session or key that could not be used. */
export const ANONYMOUS_PROBLEMS: RateLimit = { name: "anonymous", limit: 60, windowMs: 60_000 };
export const BEARER_FAILURES: RateLimit = { name: "bearer", limit: 60, windowMs: 60_000 };

const MAX_KEYS = 20_000;

/** Throws `rate_limited` with the seconds to wait when the key has used up its window. Counts nothing. */
export function checkRate(rate: RateLimit, key: string, nowMs = Date.now()): void {
  const window = windows().get(`${rate.name}:${key}`);
  if (!window || window.endsAtMs <= nowMs || window.count < rate.limit) return;
  const retryAfterSeconds = Math.ceil((window.endsAtMs - nowMs) / 1_000);
  throw new AppError("rate_limited", `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    details: { retryAfterSeconds },
  });
}

/** Counts one event, usually a failure. */
export function countRate(rate: RateLimit, key: string, nowMs = Date.now()): void {
  const all = windows();
  const id = `${rate.name}:${key}`;
  const window = all.get(id);
  if (window && window.endsAtMs > nowMs) {
    window.count += 1;
    return;
  }
  if (all.size >= MAX_KEYS) dropEnded(all, nowMs);
  all.set(id, { count: 1, endsAtMs: nowMs + rate.windowMs });
}

/** Counts one event, or throws `rate_limited` when the window is used up. */
export function takeRate(rate: RateLimit, key: string, nowMs = Date.now()): void {
  checkRate(rate, key, nowMs);
  countRate(rate, key, nowMs);
}

/** Forgets the failures of a key, after a success. */
export function clearRate(rate: RateLimit, key: string): void {
  windows().delete(`${rate.name}:${key}`);
}

/**
 * The client, as `nameClient` put it into the header. One subscriber of an IPv6 network has a whole /64 of addresses, so
 * those count as one.
 */
export function clientKey(headers: Headers): string {
  const address = headers.get("x-forwarded-for")?.trim();
  if (!address) return "unknown";
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.replace(/%.*/, "")}/64`).toString();
}

function windows(): Map<string, Window> {
  return processState("rate-limits", () => new Map<string, Window>());
}

function dropEnded(all: Map<string, Window>, nowMs: number): void {
  for (const [id, window] of all) {
    if (window.endsAtMs <= nowMs || all.size >= MAX_KEYS) all.delete(id);
  }
}
