import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createToastStore } from "./toast-store";

describe("toasts", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("leaves after five seconds", () => {
    const store = createToastStore();
    store.add({ title: "Saved" });
    vi.advanceTimersByTime(4999);
    expect(store.read()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(store.read()).toEqual([]);
  });

  it("can be undone for eight seconds, and is gone when it was", () => {
    const onUndo = vi.fn();
    const store = createToastStore();
    store.add({ title: "Deleted", onUndo });
    vi.advanceTimersByTime(7999);
    store.read()[0]?.onUndo?.();
    expect([onUndo.mock.calls.length, store.read().length]).toEqual([1, 0]);
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
