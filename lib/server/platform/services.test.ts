import { expect, test, vi } from "vitest";
import { noDatabase } from "@/lib/testing/databases/services-of";
import { createServices, serviceState } from "./services";

const counter = serviceState("test-counter", () => ({ count: 0 }));

test("each services has its own state, made on first use", () => {
  const [one, other] = [createServices(noDatabase), createServices(noDatabase)];
  counter(one).count += 1;
  expect(counter(one)).toEqual({ count: 1 });
  expect(counter(other)).toEqual({ count: 0 });
});

test("a state is made from its services", () => {
  const services = createServices(noDatabase);
  expect(serviceState("test-self", (made) => made)(services)).toBe(services);
});

test("a second copy of the module finds the same state", async () => {
  const services = createServices(noDatabase);
  counter(services).count = 7;
  vi.resetModules();
  const copy = await import("./services");
  expect(copy.serviceState).not.toBe(serviceState);
  expect(copy.serviceState("test-counter", () => ({ count: 0 }))(services)).toEqual({ count: 7 });
});
