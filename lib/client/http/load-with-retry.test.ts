import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadWithRetry } from "./load-with-retry";

beforeEach(() => {
  vi.useFakeTimers();
  serverAnswers(null);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the server answers from now on to whether it works: this status, each in turn and then the last; null: nothing. */
function serverAnswers(...statuses: (number | null)[]) {
  const ask = vi.fn(async (_address: string) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (typeof status !== "number") throw new TypeError("no connection");
    return new Response("", { status });
  });
  vi.stubGlobal("fetch", ask);
  return ask;
}

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

test("a part that a working server no longer has is given up at once, with what helps", async () => {
  const ask = serverAnswers(200);
  const load = failing(1_000);
  const startedAt = Date.now();
  const part = expect(loadWithRetry(load)).rejects.toThrow(
    expect.objectContaining({
      name: "PartGone",
      message: "Ringmaster was updated. Reload the page.",
      cause: expect.any(Error),
    }),
  );
  await vi.runAllTimersAsync();
  await part;
  expect([load.mock.calls.length, ask.mock.calls]).toEqual([
    2,
    [
      ["/health", expect.anything()],
      ["/health", expect.anything()],
    ],
  ]);
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test.each([
  ["answers with an error, as a proxy in front of it does", [502]],
  ["comes and goes", [200, null, 200, 502, 200, null]],
])("a part is requested again while the server %s", async (_, statuses) => {
  serverAnswers(...statuses);
  const load = failing(6);
  const part = loadWithRetry(load);
  await vi.runAllTimersAsync();
  expect([await part, load.mock.calls.length]).toEqual(["the part", 7]);
});

test("a part that fails once at a working server is requested again", async () => {
  serverAnswers(200);
  const part = loadWithRetry(failing(1));
  await vi.runAllTimersAsync();
  expect(await part).toBe("the part");
});
