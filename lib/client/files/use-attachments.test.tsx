import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useAttachments } from "./use-attachments";

afterEach(cleanup);

/** False if the browser would ask first. */
function leaves(): boolean {
  return window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("leaving the page with files that can't be kept asks first, and no more once they are gone", () => {
  const { result } = renderHook(() => useAttachments({ mayAttach: true, onRefused: vi.fn() }));
  expect(leaves()).toBe(true);
  act(() => result.current.add([new File(["a"], "a.txt")]));
  expect(leaves()).toBe(false);
  act(() => result.current.remove(result.current.items[0]?.id ?? ""));
  expect(leaves()).toBe(true);
});

test("a file of more than 32 MB is refused at once, the others are attached", () => {
  const { result } = renderHook(() => useAttachments({ mayAttach: true, onRefused: vi.fn() }));
  const large = new File(["a"], "large.zip");
  Object.defineProperty(large, "size", { value: 33 * 2 ** 20 });
  act(() => result.current.add([large, new File(["a"], "a.txt")]));
  expect(result.current.items.map(({ file }) => file.name)).toEqual(["a.txt"]);
});
