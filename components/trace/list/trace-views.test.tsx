import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { useTraceFilters } from "@/lib/client/trace/use-trace-filters";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SaveViewButton, TraceViews } from "./trace-views";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DEAR = { id: "view_1", name: "Dear", query: "agent=coder&sort=cost" };

function Views() {
  const state = useTraceFilters();
  return (
    <>
      <SaveViewButton state={state} />
      <TraceViews state={state} />
    </>
  );
}

function open(searchParams: string, role: "member" | "viewer" = "member") {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if ((init.method ?? "GET") === "GET") return Response.json({ views: [DEAR] });
    sent.push([init.method, path, init.body === undefined ? null : JSON.parse(String(init.body))]);
    return init.method === "DELETE" ? new Response(null, { status: 204 }) : Response.json(DEAR);
  });
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role, scopes: [] };
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <Queries>
        <ShellProvider value={{ viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() }}>
          <Views />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
  return sent;
}

const current = () => screen.getAllByRole("link", { current: "page" }).map(({ textContent }) => textContent);
const saveButton = () => screen.queryByRole("button", { name: "Save view" });

test("the view that is shown is marked, and only what no view shows can be saved", async () => {
  open("?agent=coder&sort=cost&live=false&peek=run_1");
  expect((await screen.findByRole("link", { name: "Dear" })).getAttribute("href")).toBe(`/traces?${DEAR.query}`);
  expect(current()).toEqual(["Dear"]);
  expect(saveButton()).toBeNull();
  cleanup();
  open("");
  await screen.findByRole("link", { name: "Dear" });
  expect(current()).toEqual(["All runs"]);
});

test("a view keeps filters, order and columns, without the run beside the list", async () => {
  const sent = open("?agent=coder&columns=cost&peek=run_1");
  fireEvent.click(await screen.findByRole("button", { name: "Save view" }));
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "Coder" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() =>
    expect(sent).toEqual([["POST", "/api/traces/views", { name: "Coder", query: "agent=coder&columns=cost" }]]),
  );
});

test("a viewer, who may change nothing, is not offered to save", async () => {
  open("?agent=coder", "viewer");
  await screen.findByRole("link", { name: "Dear" });
  expect(saveButton()).toBeNull();
});
