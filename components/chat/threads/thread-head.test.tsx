import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ThreadHead } from "./thread-head";

vi.mock("./threads-drawer", () => ({ ThreadsDrawer: () => null }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/threads/th_1" }));
afterEach(cleanup);

function show(archived: boolean, agent?: AgentInfo) {
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
  const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
  const detail = { id: "th_1", title: "T", agentName: "Writer", archived, latestTraceId: null } as ThreadDetail;
  render(
    <ShellProvider value={shell}>
      <ThreadHead
        detail={detail}
        agent={agent}
        status={null}
        isPanelOpen={false}
        onTogglePanel={vi.fn()}
        onFind={vi.fn()}
      />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
}

it("names the agent with its version, and says that a thread is archived", () => {
  show(true, { version: 3 } as AgentInfo);
  expect(screen.getByText("Writer v3")).toBeTruthy();
  expect(screen.getByText("Archived")).toBeTruthy();
  cleanup();
  show(false);
  expect(screen.getByText("Writer")).toBeTruthy();
  expect(screen.queryByText("Archived")).toBeNull();
});
