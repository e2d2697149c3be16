import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useRenderIf } from "./use-render-if";

it("renders again only while it is needed", () => {
  let renders = 0;
  const counted = (isNeeded: boolean) => {
    renders += 1;
    return useRenderIf(isNeeded);
  };
  const { result, rerender } = renderHook(counted, { initialProps: false });
  act(() => result.current());
  expect(renders).toBe(1);
  rerender(true);
  act(() => result.current());
  expect(renders).toBe(3);
  rerender(false);
  act(() => result.current());
  expect(renders).toBe(4);
});
