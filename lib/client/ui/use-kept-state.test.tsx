import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
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

it("a page that the server drew with them asks the browser for no cookies", () => {
  browserKeeps();
  const asks = vi.spyOn(document, "cookie", "get");
  const wrapper = ({ children }: { children: ReactNode }) => (
    <KeptStateProvider value={{ height: 90 }}>{children}</KeptStateProvider>
  );
  const { result } = renderHook(() => [useKeptNumber("height", 40), useKeptNumber("depth", 7)] as const, { wrapper });
  expect(result.current.map(([value]) => value)).toEqual([90, 7]);
  act(() => result.current[1][1](8));
  expect(result.current.map(([value]) => value)).toEqual([90, 8]);
  expect(asks).not.toHaveBeenCalled();
});
