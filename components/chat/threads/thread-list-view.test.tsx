import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ThreadListView } from "./thread-list-view";

vi.mock("next/navigation", () => ({
  useParams: () => ({}),
  usePathname: () => "/",
  useRouter: () => ({ push: vi.fn() }),
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };

/** Each attempt lets half a second pass. */
const soon = (found: () => unknown) => vi.waitFor(found, { timeout: 30_000, interval: 500 });

it("a search says how much is still being prepared for it, and asks again until nothing is", async () => {
  await import("@/lib/client/chat/page-schemas");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  let left = 1_234;
  vi.stubGlobal("fetch", async (path: string) => {
    if (!path.startsWith("/api/threads?")) return Response.json({ approvals: [], projects: [], agents: [] });
    const unfolded = path.includes("q=") && left > 0 ? { unfolded: left } : {};
    return Response.json({ threads: [], nextCursor: null, ...unfolded });
  });
  render(
    <ShellProvider value={shell}>
      <ThreadListView />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  expect(screen.queryByText(/being prepared/u)).toBeNull();
  fireEvent.change(screen.getByRole("searchbox", { name: "Search threads" }), { target: { value: "отпуск" } });
  await soon(() => screen.getByText(/^1,234 older texts are still being prepared/u));
  left = 1;
  await soon(() => screen.getByText(/^1 older text is still being prepared/u));
  left = 0;
  await soon(() => expect(screen.queryByText(/being prepared/u)).toBeNull());
  await soon(() => screen.getByText("Nothing found"));
});

it("a column that a small screen hides asks for no threads and no projects; one that is shown does", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path.split("?")[0] ?? "");
    return Response.json({ threads: [], approvals: [], projects: [], nextCursor: null });
  });
  const show = (isWide: boolean) => {
    vi.stubGlobal("matchMedia", () => ({ matches: isWide, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
    const column = (
      <ShellProvider value={shell}>
        <ThreadListView isColumn />
      </ShellProvider>
    );
    return render(column, { wrapper: withQueries() });
  };
  const { unmount } = show(false);
  await vi.waitFor(() => expect(asked).toEqual(["/api/approvals"]));
  unmount();
  asked.length = 0;
  show(true);
  await soon(() => expect(asked.toSorted()).toEqual(["/api/approvals", "/api/projects", "/api/threads"]));
});

it("the projects that a page came with are kept up to date while they are hidden", async () => {
  const asked: string[] = [];
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path.split("?")[0] ?? "");
    return Response.json({ threads: [], approvals: [], projects: [], nextCursor: null });
  });
  const client = new QueryClient();
  client.setQueryData(projectsQuery(false).queryKey, {
    pages: [{ projects: [], nextCursor: null }],
    pageParams: [null],
  });
  const column = (
    <ShellProvider value={shell}>
      <ThreadListView isColumn />
    </ShellProvider>
  );
  render(column, { wrapper: withQueries(client) });
  await client.invalidateQueries({ queryKey: PROJECTS_KEY });
  await soon(() => expect(asked).toContain("/api/projects"));
  expect(asked).not.toContain("/api/threads");
});
