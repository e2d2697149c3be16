import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useKeptNumber } from "./use-kept-state";

afterEach(cleanup);

it("changes for as long as the page is there when the browser keeps nothing", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
  const { result } = renderHook(() => useKeptNumber("panel", 1));
  act(() => result.current[1](0));
  expect(result.current[0]).toBe(0);
});
