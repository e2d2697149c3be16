import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdForUndo } from "./hold-for-undo";
import { toastStore } from "./toast-store";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what is held happens after a moment, and its line goes with it", () => {
  const run = vi.fn();
  holdForUndo({ title: "Sending again", run });
  expect([run.mock.calls.length, toastStore.read().map(({ title }) => title)]).toEqual([0, ["Sending again"]]);
  vi.advanceTimersByTime(5_000);
  expect([run.mock.calls.length, toastStore.read()]).toEqual([1, []]);
});

test("Undo keeps it from happening", () => {
  const run = vi.fn();
  const onUndo = vi.fn();
  holdForUndo({ title: "Deleted", run, onUndo });
  toastStore.read()[0]?.onUndo?.();
  vi.advanceTimersByTime(60_000);
  expect(run).not.toHaveBeenCalled();
  expect(onUndo).toHaveBeenCalledOnce();
});
