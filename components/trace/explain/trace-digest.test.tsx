import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceDigest } from "./trace-digest";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(lines: readonly object[]) {
  const onOpen = vi.fn();
  const fetched = vi.fn(async (_url: string) => Response.json({ lines }));
  vi.stubGlobal("fetch", fetched);
  render(<TraceDigest traceId="tr 1" onOpen={onOpen} />, { wrapper: withQueries() });
  return { onOpen, urls: () => fetched.mock.calls.map(([url]) => url) };
}

test("each line opens the span that it stands on", async () => {
  const { onOpen, urls } = show([
    { kind: "failed", spanId: "s1", tool: "fetch", gist: "a", error: "HTTP 500", times: 2 },
    { kind: "dearest", spanId: "s2", step: 3, costUsd: 0.04, share: 0.62 },
  ]);
  fireEvent.click(await screen.findByRole("button", { name: "fetch a failed 2 times: HTTP 500" }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith("s1");
  expect(urls()).toEqual(["/api/traces/tr%201/explain"]);
});

test("a run of which there is nothing to say says so", async () => {
  show([]);
  expect(await screen.findByText(/Nothing stands out/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
