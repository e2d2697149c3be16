import { afterEach, expect, test } from "vitest";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { checkRate, clearRate, clientKey, type RateLimit, takeRate } from "./rate-limit";

const RATE: RateLimit = { name: "test", limit: 3, windowMs: 1_000 };
const take = (key: string, nowMs: number) => takeRate(RATE, key, nowMs);

afterEach(() => forgetProcessState("rate-limits"));

test("the limit applies within a window and says when it ends", () => {
  for (let count = 0; count < 3; count += 1) take("a", 0);
  expect(() => take("a", 400)).toThrow(
    expect.objectContaining({ code: "rate_limited", details: { retryAfterSeconds: 1 } }),
  );
  expect(() => take("b", 400)).not.toThrow();
});

test("a new window starts from nothing", () => {
  for (let count = 0; count < 3; count += 1) take("a", 0);
  expect(() => take("a", 1_000)).not.toThrow();
  expect(() => checkRate(RATE, "a", 1_001)).not.toThrow();
});

test("a success forgets the attempts before it", () => {
  for (let count = 0; count < 3; count += 1) take("a", 0);
  clearRate(RATE, "a");
  expect(() => take("a", 1)).not.toThrow();
});

test("the client is its address, and a whole IPv6 network is one client", () => {
  const keyOf = (address: string) => clientKey(new Headers({ "x-forwarded-for": address }));
  expect(keyOf("192.0.2.7")).toBe("192.0.2.7");
  expect(keyOf("2001:db8:1:2::7")).toBe(keyOf("2001:db8:1:2:ffff::8"));
  expect(keyOf("2001:db8:1:2::7")).not.toBe(keyOf("2001:db8:1:3::7"));
  expect(keyOf("fe80::1%eth0")).toBe(keyOf("fe80::2"));
  expect(clientKey(new Headers())).toBe("unknown");
});
