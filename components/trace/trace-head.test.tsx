import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { Trace } from "@/lib/schema/traces/trace";
import { TraceActions } from "./trace-head";

afterEach(cleanup);

function open(threadHref: string | null) {
  const go = vi.fn();
  const viewer = { id: "usr_1", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
  const shell = { viewer, go, openPalette: vi.fn(), setPageKeys: vi.fn() };
  render(
    <NuqsTestingAdapter>
      <ShellProvider value={shell}>
        <TraceActions
          trace={{ id: "tr_1", status: "completed" } as Trace}
          threadHref={threadHref}
          draftHref={null}
          isStopping={false}
          onStop={vi.fn()}
        />
      </ShellProvider>
    </NuqsTestingAdapter>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Trace actions" }));
  return go;
}

test("where there is no room for words a menu leads to the thread and exports", async () => {
  const go = open("/threads/th_1");
  const hrefOf = async (name: string) => (await screen.findByRole("menuitem", { name })).getAttribute("href");
  expect(await hrefOf("Export as JSON")).toBe("/api/traces/tr_1/export?format=json");
  expect(await hrefOf("Export as one HTML file")).toBe("/api/traces/tr_1/bundle");
  fireEvent.click(screen.getByRole("menuitem", { name: "Open thread" }));
  expect(go).toHaveBeenCalledExactlyOnceWith("/threads/th_1");
});

test("the thread of someone else is not offered", async () => {
  open(null);
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Compare",
    "Export as JSON",
    "Export as one HTML file",
  ]);
});
