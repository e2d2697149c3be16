import ipaddr from "ipaddr.js";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import { addToRate, deleteRate, selectRate } from "@/lib/server/platform/db/queries/rate-limits";
import { env } from "@/lib/server/platform/env";
import { type Services, serviceState } from "@/lib/server/platform/services";

interface Window {
  count: number;
  endsAtMs: number;
}

/** At most `limit` events per key within `windowMs`. */
export interface RateLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const SIGN_IN_PER_ACCOUNT: RateLimit = { name: "sign-in-account", limit: 10, windowMs: 15 * 60_000 };
export const SIGN_IN_PER_CLIENT: RateLimit = { name: "sign-in-client", limit: 100, windowMs: 15 * 60_000 };
export const SET_UP: RateLimit = { name: "set-up", limit: 10, windowMs: 15 * 60_000 };
export const ACCOUNT_LINK: RateLimit = { name: "account-link", limit: 20, windowMs: 15 * 60_000 };
/** Invalid bodies sent without a session or key. */
export const ANONYMOUS_PROBLEMS: RateLimit = { name: "anonymous", limit: 60, windowMs: 60_000 };
export const BEARER_FAILURES: RateLimit = { name: "bearer", limit: 60, windowMs: 60_000 };

const MAX_KEYS = 20_000;

const windows = serviceState("rate-limits", () => new Map<string, Window>());

/** Throws `rate_limited` with the seconds to wait if the key has used up its window. Counts nothing. */
export async function checkRate(services: Services, rate: RateLimit, key: string, nowMs = Date.now()): Promise<void> {
  const id = idOf(rate, key);
  const shared = sharedDatabase(services.database);
  const known = shared ? await selectRate(shared, id) : inMemory(services, id, nowMs);
  if (known && known.count >= rate.limit) refuse(known.secondsLeft);
}

/** Counts one event, usually a failure. */
export async function countRate(services: Services, rate: RateLimit, key: string, nowMs = Date.now()): Promise<void> {
  await count(services, rate, key, nowMs);
}

/** Counts one event, or throws `rate_limited` if the window is used up. */
export async function takeRate(services: Services, rate: RateLimit, key: string, nowMs = Date.now()): Promise<void> {
  const taken = await count(services, rate, key, nowMs);
  if (taken.count > rate.limit) refuse(taken.secondsLeft);
}

/** Clears a key's failures after a success. */
export async function clearRate(services: Services, rate: RateLimit, key: string): Promise<void> {
  const shared = sharedDatabase(services.database);
  if (shared) await deleteRate(shared, idOf(rate, key));
  else windows(services).delete(idOf(rate, key));
}

function idOf({ name }: RateLimit, key: string): string {
  return `${name}:${key}`;
}

/** If several processes may serve the same people, they count together. */
function sharedDatabase(database: Database): Database | null {
  return env().databaseUrl.startsWith("file:") ? null : database;
}

function inMemory(services: Services, id: string, nowMs: number) {
  const known = windows(services).get(id);
  if (!known || known.endsAtMs <= nowMs) return null;
  return { count: known.count, secondsLeft: Math.ceil((known.endsAtMs - nowMs) / 1_000) };
}

async function count(services: Services, rate: RateLimit, key: string, nowMs: number) {
  const id = idOf(rate, key);
  const shared = sharedDatabase(services.database);
  if (shared) return addToRate(shared, id, rate.windowMs);
  const all = windows(services);
  const known = all.get(id);
  if (known && known.endsAtMs > nowMs) known.count += 1;
  else {
    if (all.size >= MAX_KEYS) dropEnded(all, nowMs);
    all.set(id, { count: 1, endsAtMs: nowMs + rate.windowMs });
  }
  return inMemory(services, id, nowMs) ?? { count: 1, secondsLeft: 0 };
}

function refuse(retryAfterSeconds: number): never {
  throw new AppError("rate_limited", `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    details: { retryAfterSeconds },
  });
}

/**
 * The client's address, as `nameClient` put it into the header. One subscriber of an IPv6 network has a whole /64 of
 * addresses, so those count as one.
 */
export function clientKey(headers: Headers): string {
  const address = headers.get("x-forwarded-for")?.trim();
  if (!address) return "unknown";
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.replace(/%.*/, "")}/64`).toString();
}

function dropEnded(all: Map<string, Window>, nowMs: number): void {
  for (const [id, window] of all) {
    if (window.endsAtMs <= nowMs || all.size >= MAX_KEYS) all.delete(id);
  }
}
