import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadWithRetry } from "./load-with-retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fails this many times, then loads. */
function failing(times: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= times) throw new Error("no connection");
    return "the part";
  });
  return load;
}

test("a part is requested again until the server is back", async () => {
  const load = failing(3);
  const part = loadWithRetry(load);
  await vi.runAllTimersAsync();
  expect([await part, load.mock.calls.length]).toEqual(["the part", 4]);
});

test("a part that is there is asked for once", async () => {
  const load = failing(0);
  expect([await loadWithRetry(load), load.mock.calls.length]).toEqual(["the part", 1]);
});

test("a part that never comes is given up after a minute, with the error", async () => {
  const part = expect(loadWithRetry(failing(1_000))).rejects.toThrow("no connection");
  const startedAt = Date.now();
  await vi.runAllTimersAsync();
  await part;
  expect(Date.now() - startedAt).toBeGreaterThan(55_000);
});
