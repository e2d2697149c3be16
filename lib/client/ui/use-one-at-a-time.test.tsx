import { cleanup, renderHook } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { useOneAtATime } from "./use-one-at-a-time";

afterEach(cleanup);

test("work runs once, however often it is asked for before the next render", () => {
  const work = vi.fn();
  const { result } = renderHook(() => useOneAtATime(false));
  result.current(work);
  result.current(work);
  expect(work).toHaveBeenCalledOnce();
});

test("work can start again as soon as the page shows that the last one has ended", () => {
  const work = vi.fn();
  const { rerender } = renderHook(
    ({ isPending }) => {
      const attempt = useOneAtATime(isPending);
      useLayoutEffect(() => attempt(work));
    },
    { initialProps: { isPending: true } },
  );
  expect(work).not.toHaveBeenCalled();
  rerender({ isPending: false });
  expect(work).toHaveBeenCalledOnce();
});
