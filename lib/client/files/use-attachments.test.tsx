import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useAttachments } from "./use-attachments";

afterEach(cleanup);

/** False when the browser would ask first. */
function leaves(): boolean {
  return window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("leaving the page with files that were not sent asks first, and no more once they are gone", () => {
  const { result } = renderHook(() => useAttachments(true, vi.fn()));
  expect(leaves()).toBe(true);
  act(() => result.current.add([new File(["a"], "a.txt")]));
  expect(leaves()).toBe(false);
  act(() => result.current.remove(result.current.items[0]?.id ?? ""));
  expect(leaves()).toBe(true);
});
