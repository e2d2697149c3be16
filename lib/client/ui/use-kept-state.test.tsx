import { act, cleanup, renderHook } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptStateProvider, useKeptNumber } from "./use-kept-state";

let kept: string[];
beforeEach(() => {
  kept = [];
  vi.spyOn(document, "cookie", "get").mockImplementation(() => kept.join("; "));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const browserKeeps = () =>
  vi.spyOn(document, "cookie", "set").mockImplementation((cookie) => void kept.push(cookie.split(";")[0] ?? ""));
const browserKeepsNothing = () => vi.spyOn(document, "cookie", "set").mockImplementation(() => undefined);

it("is there again on the next page", () => {
  browserKeeps();
  const { result } = renderHook(() => useKeptNumber("width", 328));
  expect(result.current[0]).toBe(328);
  act(() => result.current[1](412));
  expect(renderHook(() => useKeptNumber("width", 328)).result.current[0]).toBe(412);
});

it("changes for as long as the page is there when the browser keeps nothing", () => {
  browserKeepsNothing();
  const { result } = renderHook(() => useKeptNumber("panel", 1));
  act(() => result.current[1](0));
  expect(result.current[0]).toBe(0);
});

it("the server draws what the browser has stored, so nothing jumps on hydration", () => {
  const Panel = () => <>{useKeptNumber("panel", 1)[0]}</>;
  const html = renderToString(
    <KeptStateProvider value={{ panel: 0 }}>
      <Panel />
    </KeptStateProvider>,
  );
  expect(html).toBe("0");
});
