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
          trace={{ status: "completed" } as Trace}
          exportUrl="/api/traces/tr_1/export"
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
  expect((await screen.findByRole("menuitem", { name: "Export" })).getAttribute("href")).toBe(
    "/api/traces/tr_1/export",
  );
  fireEvent.click(screen.getByRole("menuitem", { name: "Open thread" }));
  expect(go).toHaveBeenCalledExactlyOnceWith("/threads/th_1");
});

test("the thread of someone else is not offered", async () => {
  open(null);
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Compare", "Export"]);
});
