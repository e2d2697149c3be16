import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createToastStore } from "./toast-store";

describe("toasts", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("leaves after five seconds and then makes final what could be undone", () => {
    const onExpire = vi.fn();
    const store = createToastStore();
    store.add({ title: "Saved", onExpire });
    vi.advanceTimersByTime(4999);
    expect(store.read()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(store.read()).toEqual([]);
    expect(onExpire).toHaveBeenCalledOnce();
  });

  it("does not make final what was undone", () => {
    const [onUndo, onExpire] = [vi.fn(), vi.fn()];
    const store = createToastStore();
    store.add({ title: "Deleted", onUndo, onExpire });
    store.read()[0]?.onUndo?.();
    vi.runAllTimers();
    expect([onUndo.mock.calls.length, onExpire.mock.calls.length, store.read().length]).toEqual([1, 0, 0]);
  });

  it("waits while somebody points at it", () => {
    const store = createToastStore();
    store.add({ title: "Saved" });
    store.pause();
    vi.advanceTimersByTime(60_000);
    expect(store.read()).toHaveLength(1);
    store.resume();
    vi.runAllTimers();
    expect(store.read()).toEqual([]);
  });

  it("never shows more than four", () => {
    const store = createToastStore();
    for (let count = 1; count <= 6; count += 1) store.add({ title: `${count}` });
    expect(store.read().map(({ title }) => title)).toEqual(["3", "4", "5", "6"]);
  });
});
