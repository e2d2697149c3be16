import { beforeEach, expect, test } from "vitest";
import { createServices, type Services } from "@/lib/server/platform/services";
import { noDatabase } from "@/lib/testing/databases/services-of";
import { checkRate, clearRate, clientKey, type RateLimit, takeRate } from "./rate-limit";

const RATE: RateLimit = { name: "test", limit: 3, windowMs: 1_000 };
const take = (key: string, nowMs: number) => takeRate(services, RATE, key, nowMs);

let services: Services;
beforeEach(() => {
  services = createServices(noDatabase);
});

test("the limit applies within a window and says when it ends", async () => {
  for (let count = 0; count < 3; count += 1) await take("a", 0);
  await expect(take("a", 400)).rejects.toMatchObject({ code: "rate_limited", details: { retryAfterSeconds: 1 } });
  await expect(take("b", 400)).resolves.toBeUndefined();
});

test("a new window starts from nothing", async () => {
  for (let count = 0; count < 3; count += 1) await take("a", 0);
  await expect(take("a", 1_000)).resolves.toBeUndefined();
  await expect(checkRate(services, RATE, "a", 1_001)).resolves.toBeUndefined();
});

test("a success forgets the attempts before it", async () => {
  for (let count = 0; count < 3; count += 1) await take("a", 0);
  await clearRate(services, RATE, "a");
  await expect(take("a", 1)).resolves.toBeUndefined();
});

test("the client is its address, and a whole IPv6 network is one client", () => {
  const keyOf = (address: string) => clientKey(new Headers({ "x-forwarded-for": address }));
  expect(keyOf("192.0.2.7")).toBe("192.0.2.7");
  expect(keyOf("2001:db8:1:2::7")).toBe(keyOf("2001:db8:1:2:ffff::8"));
  expect(keyOf("2001:db8:1:2::7")).not.toBe(keyOf("2001:db8:1:3::7"));
  expect(keyOf("fe80::1%eth0")).toBe(keyOf("fe80::2"));
  expect(clientKey(new Headers())).toBe("unknown");
});
