import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { AgentsPage } from "./agents-page";

const NOTHING = { runs: 0, failed: 0, costUsd: 0, unknownCosts: 0 };
const AGENT = {
  id: "coder",
  name: "Coder",
  description: "Reads and runs code.",
  model: "anthropic:claude",
  system_prompt: "Hm",
  tools: ["execute"],
  hooks: [],
  backend: null,
  skills: {},
  memory: {},
  context_window: 1,
  starters: [],
  max_message_chars: 1,
  choices: { models: [], efforts: [] },
  version: 12,
  sandbox: null,
  warnings: [],
  updatedAt: "2026-11-20T10:00:00.000Z",
};
const ACTIVITY = {
  agentId: "coder",
  runs: 5,
  failed: 1,
  costUsd: 2,
  unknownCosts: 1,
  lastUsedAt: "2026-11-23T08:00:00.000Z",
  days: Array.from({ length: 14 }, (_, index) =>
    index === 13 ? { day: "d", runs: 5, failed: 1, costUsd: 2, unknownCosts: 1 } : { day: "d", ...NOTHING },
  ),
  aliases: [{ name: "canary", version: 12 }],
  lastFailure: { code: "model_failed", message: "LLM call: The key was refused. Check it." },
  draft: {
    revision: 39,
    baseVersion: 12,
    changes: 5,
    isBehind: false,
    updatedAt: "2026-11-23T08:00:00.000Z",
    updatedByName: "Mara",
  },
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/agents": { agents: [AGENT] },
  "/api/agents?archived=true": { agents: [{ ...AGENT, id: "old", name: "Old one" }] },
  "/api/agent-activity": { agents: [ACTIVITY] },
  "/api/traces?status=running,waiting&limit=200": { traces: [], nextCursor: null },
  "/api/agent-templates": {
    templates: [{ id: "assistant", name: "Assistant", description: "Talks.", yaml: "name: A", warnings: [] }],
  },
};

const go = vi.fn();

beforeEach(() => {
  go.mockClear();
  vi.stubGlobal("fetch", async (path: string) => Response.json(ANSWERS[path]));
  const shell = { setPageKeys: vi.fn(), go } as unknown as Shell;
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter hasMemory>
      <Queries>
        <ShellProvider value={shell}>
          <AgentsPage />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows how an agent was used, its names and its draft", async () => {
  const row = await screen.findByRole("row", { name: /Coder/ });
  expect(await within(row).findAllByText("draft r39, 5 changes")).not.toEqual([]);
  expect(within(row).getAllByText("Failing")[0]?.parentElement?.getAttribute("title")).toBe("The key was refused.");
  expect(screen.getByText("1, 1 with a draft")).toBeTruthy();
  for (const words of ["@canary", "5", "20.0%", "$2.00 + unknown"]) {
    expect(within(row).getAllByText(words).length).toBeGreaterThan(0);
  }
  expect(within(row).getByRole("img", { name: "5 runs in 14 days, 5 of them today" })).toBeTruthy();
});

it("begins a new agent from a template", async () => {
  const link = await screen.findByRole("link", { name: "Assistant" });
  expect(link.getAttribute("href")).toBe("/admin/agents/new?template=assistant");
});

it("lists archived agents apart, and finds by tools", async () => {
  await screen.findByRole("row", { name: /Coder/ });
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "otter" } });
  expect(screen.getByText("Nothing found")).toBeTruthy();
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "execute" } });
  expect(screen.getByRole("row", { name: /Coder/ })).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: "Archived 1" }));
  expect(await screen.findByRole("row", { name: /Old one/ })).toBeTruthy();
});

it("opens the test chat of the agent under the focus with t", async () => {
  const row = await screen.findByRole("row", { name: /Coder/ });
  fireEvent.keyDown(document.body, { key: "t" });
  expect(go).not.toHaveBeenCalled();
  row.querySelector<HTMLElement>("[data-agent]")?.focus();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "t" });
  expect(go).toHaveBeenCalledWith("/admin/agents/coder?focus=chat");
});
