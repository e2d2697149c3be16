import { cleanup, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { AuditSection } from "./audit-section";

const SHELL = { setPageKeys: vi.fn() } as unknown as Shell;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(searchParams: string) {
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.startsWith("/api/users")) return Response.json({ users: [], nextCursor: null });
    if (!path.startsWith("/api/audit?")) return new Promise(() => undefined);
    return Response.json({ entries: [], nextCursor: null, ...(path.includes("q=") ? { unfolded: 12_000 } : {}) });
  });
  render(
    <ShellProvider value={SHELL}>
      <NuqsTestingAdapter searchParams={searchParams}>
        <AuditSection section={{ id: "audit", word: "Audit" }} />
      </NuqsTestingAdapter>
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}

it("a search says how many older entries it can't find in every spelling yet", async () => {
  show("?q=отпуск");
  const line = await screen.findByText(/being prepared/u);
  expect(line.textContent).toContain("12,000 older texts are still being prepared");
});

it("without a search nothing is said of that", async () => {
  show("");
  await screen.findByText(/Nothing|No entries|No entry/u);
  expect(screen.queryByText(/being prepared/u)).toBeNull();
});
