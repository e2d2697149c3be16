import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeLimitReached, withTimeLimit } from "./time-limit";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => new AbortController().signal;
const deaf = () => new Promise<never>(() => {});

test("work that ends in time returns its value and leaves no timer behind", async () => {
  expect(await withTimeLimit(async () => "done", open(), 100)).toBe("done");
  expect(vi.getTimerCount()).toBe(0);
});

test("work that ignores its signal is abandoned two seconds after the limit", async () => {
  const ending = expect(withTimeLimit(deaf, open(), 100)).rejects.toThrow(TimeLimitReached);
  await vi.advanceTimersByTimeAsync(2_100);
  await ending;
  expect(vi.getTimerCount()).toBe(0);
});

test("what arrives within two seconds of an abort still counts", async () => {
  const controller = new AbortController();
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener("abort", () => setTimeout(() => resolve("late"), 1_500)));
  const result = withTimeLimit(work, controller.signal, null);
  controller.abort(new Error("stop"));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await result).toBe("late");
});

test("an error after the abort is the abort's reason", async () => {
  const controller = new AbortController();
  const work = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("socket closed"))));
  const ending = expect(withTimeLimit(work, controller.signal, null)).rejects.toThrow("the reason");
  controller.abort(new Error("the reason"));
  await ending;
});

test("nothing starts once the signal has aborted", async () => {
  const work = vi.fn(async () => "started");
  await expect(withTimeLimit(work, AbortSignal.abort(new Error("too late")), null)).rejects.toThrow("too late");
  expect(work).not.toHaveBeenCalled();
});
