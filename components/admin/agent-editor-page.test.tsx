import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { AGENTS_KEY } from "@/lib/client/agent-queries";
import type { AgentDetail } from "@/lib/schema/agent-api";
import { AgentEditorPage } from "./agent-editor-page";

vi.mock("@/components/shell/page-head", () => ({ PageHead: () => null }));
vi.mock("./agent-editor", () => ({
  AgentEditor: ({ agent }: { agent: AgentDetail }) => <input aria-label="YAML" defaultValue={`v${agent.version}`} />,
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const field = () => screen.findByRole<HTMLInputElement>("textbox", { name: "YAML" });

const AGENT: AgentDetail = {
  ...{ id: "a", name: "A", description: "", model: "demo", system_prompt: "", tools: [], hooks: [], backend: null },
  ...{ skills: null, memory: null, context_window: 1, max_message_chars: 1, version: 1, sandbox: null },
  ...{ updatedAt: new Date().toISOString(), config: {}, yaml: "" },
};

it("keeps what is being edited when the network comes back, whoever has published meanwhile", async () => {
  let version = 0;
  vi.stubGlobal("fetch", async () => Response.json({ ...AGENT, version: ++version }));
  const queryClient = new QueryClient();
  render(
    <QueryClientProvider client={queryClient}>
      <AgentEditorPage agentId="a" />
    </QueryClientProvider>,
  );
  const before = await field();
  act(() => {
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
  });
  expect(queryClient.isFetching()).toBe(0);
  expect(await field()).toBe(before);
  void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
  await waitFor(async () => expect((await field()).value).toBe("v2"));
});
