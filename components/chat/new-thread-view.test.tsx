import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { withQueries } from "@/lib/testing/react/with-queries";
import { NewThreadView } from "./new-thread-view";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: vi.fn() }),
  useSearchParams: () => new URLSearchParams(),
}));
vi.mock("@/components/chat/threads/threads-drawer", () => ({ ThreadsDrawer: () => null }));

const AGENT: AgentInfo = {
  id: "a",
  name: "A",
  description: "",
  model: "demo",
  system_prompt: "",
  tools: ["ls", "write_todos"],
  hooks: [],
  backend: null,
  choices: { models: [], efforts: [] },
  skills: null,
  memory: null,
  context_window: 1,
  starters: [],
  max_message_chars: 1,
  version: 1,
  sandbox: null,
  warnings: [],
};

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path === "/agents" ? { agents: [AGENT] } : { providers: [], defaultModel: null }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function openPage(id: string) {
  const viewer = {
    id,
    name: id,
    email: `${id}@example.org`,
    role: "member" as const,
    scopes: ["read" as const, "chat" as const],
  };
  const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
  render(
    <ShellProvider value={shell}>
      <NewThreadView />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
}

async function openAs(id: string): Promise<HTMLTextAreaElement> {
  const field = openPage(id);
  await waitFor(() => expect(field.disabled).toBe(false));
  return field;
}

it("keeps unsent text for the person who wrote it, not for the next one in this browser", async () => {
  fireEvent.change(await openAs("ada"), { target: { value: "A secret of Ada" } });
  cleanup();
  expect((await openAs("bob")).value).toBe("");
  cleanup();
  expect((await openAs("ada")).value).toBe("A secret of Ada");
});

it("puts an example below what was typed, and replaces it with another one", async () => {
  const field = await openAs("cleo");
  const pick = async (example: string) =>
    fireEvent.click(await screen.findByRole("button", { name: new RegExp(example) }));
  fireEvent.change(field, { target: { value: "For the otters:" } });
  await pick("List files");
  expect(field.value).toBe("For the otters:\nList files");
  await pick("Plan a birthday party");
  expect(field.value).toBe("For the otters:\nPlan a birthday party for ten people");
  fireEvent.change(field, { target: { value: "" } });
  await pick("List files");
  expect(field.value).toBe("List files");
});

it("has its heading and the buttons beside the field before the agents are known", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  openPage("ada");
  expect(screen.getByRole("heading", { name: "What can I help with?" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Attach files" })).toHaveProperty("disabled", true);
});

it("offers only the commands that do something without a thread", async () => {
  fireEvent.change(await openAs("ada"), { target: { value: "/" } });
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "/stopallStop all of your runs",
  ]);
});

it("lets another agent answer the first message after an @", async () => {
  const asked: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method !== "GET") asked.push([path, JSON.parse(String(body))]);
    if (path === "/agents") return Response.json({ agents: [AGENT, { ...AGENT, id: "b", name: "Bee" }] });
    if (path === "/api/threads") return Response.json({ id: "th_1" });
    if (path.endsWith("/messages")) return Response.json({ runId: "run_1", status: "queued" });
    return Response.json({ providers: [], defaultModel: null });
  });
  const field = await openAs("dora");
  fireEvent.change(field, { target: { value: "Who are you @b" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(field.value).toBe("Who are you ");
  expect(await screen.findByText("answers this message")).toBeTruthy();
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked).toEqual([
    ["/api/threads", { agentId: "a" }],
    ["/api/threads/th_1/messages", { content: "Who are you", agentId: "b" }],
  ]);
});
