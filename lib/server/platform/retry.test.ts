import { expect, test } from "vitest";
import { atOnce, doubling, retry } from "./retry";

const isBusy = (error: unknown) => error instanceof Error && error.message === "busy";

/** Fails with these messages, one per attempt, then returns the number of attempts. */
function failing(...messages: readonly string[]) {
  let attempts = 0;
  return async (): Promise<number> => {
    const message = messages[attempts];
    attempts += 1;
    if (message !== undefined) throw new Error(message);
    return attempts;
  };
}

test("retries what may pass after each of the given waits", async () => {
  const waited: number[] = [];
  const wait = async (delayMs: number) => waited.push(delayMs);
  expect(await retry(failing("busy", "busy"), { when: isBusy, delays: [10, 20, 30], wait })).toBe(3);
  expect(waited).toEqual([10, 20]);
});

test("throws permanent failures at once, and the last failure when the waits are used up", async () => {
  const wait = async () => undefined;
  await expect(retry(failing("broken"), { when: isBusy, delays: [1, 1], wait })).rejects.toThrow("broken");
  const failures = failing("busy", "busy", "busy");
  await expect(retry(failures, { when: isBusy, delays: [1, 1], wait })).rejects.toThrow("busy");
  expect(await failures()).toBe(4);
});

test("an abort ends the wait with its reason", async () => {
  const stop = new AbortController();
  const gone = retry(failing("busy"), { when: isBusy, delays: [60_000], signal: stop.signal });
  stop.abort();
  await expect(gone).rejects.toMatchObject({ name: "AbortError" });
});

test("retries without a wait what another writer won", async () => {
  const wait = () => Promise.reject(new Error("waited"));
  expect(await retry(failing("busy", "busy"), { when: isBusy, delays: atOnce(2), wait })).toBe(3);
});

test("doubling waits grow up to the longest and never end", () => {
  const waits = doubling(100, 1_000);
  expect(Array.from({ length: 6 }, () => waits.next().value)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});
