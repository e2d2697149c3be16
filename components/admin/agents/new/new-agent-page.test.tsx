import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { readConfigText } from "@/lib/client/agents/config-text/config-text";
import { withQueries } from "@/lib/testing/react/with-queries";
import { NewAgentPage } from "./new-agent-page";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

const TEMPLATE = {
  id: "coder",
  name: "Coder",
  description: "Writes code.",
  yaml: "# Mine.\nname: Coder\ndescription: Writes code.\nbackend: {type: local}\npermissions: {enabled: true, ask: [execute]}\n",
  warnings: [],
};

let posted: unknown[] = [];

beforeEach(() => {
  sessionStorage.clear();
  push.mockClear();
  posted = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "POST") posted.push(JSON.parse(String(body)));
    if (path.startsWith("/api/agent-templates")) return Response.json({ templates: [TEMPLATE] });
    if (path === "/api/agents" && method === "POST") {
      const message = 'The id "taken" is in use. Choose another one.';
      const details = [{ path: "id", message }];
      return Response.json({ error: { code: "conflict", message, details } }, { status: 409 });
    }
    if (path.startsWith("/api/providers")) {
      return Response.json({ providers: [], defaultModel: "demo:demo", nextCursor: null });
    }
    return Response.json({ agents: [] });
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function open(searchParams = "") {
  const viewer = { id: "u1", name: "Ada", role: "admin" };
  const shell = { setPageKeys: vi.fn(), go: vi.fn(), viewer } as unknown as Shell;
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <Queries>
        <ShellProvider value={shell}>
          <NewAgentPage />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
}

const nameField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("a reload keeps what was typed for a new agent, until it is started over", () => {
  open();
  fireEvent.change(nameField(), { target: { value: "Invoices" } });
  cleanup();
  open();
  expect(nameField().value).toBe("Invoices");
  press("Start over");
  cleanup();
  open();
  expect(nameField().value).toBe("");
  expect(screen.queryByRole("button", { name: "Start over" })).toBeNull();
});

test("nothing is created without a name, and the field says so", () => {
  open();
  press("Create draft");
  expect(screen.getByText("Give the agent a name.")).toBeTruthy();
  expect(posted).toEqual([]);
});

test("the id follows the name, and an id in use becomes a field with its problem", async () => {
  open();
  fireEvent.change(nameField(), { target: { value: "Taken" } });
  expect(screen.getByText("taken")).toBeTruthy();
  press("Create draft");
  await waitFor(() => expect(screen.getByText(/is in use/)).toBeTruthy());
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Id" }).value).toBe("taken");
  expect(posted).toMatchObject([{ draft: true, yaml: expect.stringContaining('name: "Taken"') }]);
  expect(push).not.toHaveBeenCalled();
});

test("a template fills the fields, and the switches change its text without losing a comment", async () => {
  open("?template=coder");
  await waitFor(() => expect(nameField().value).toBe("Coder"));
  expect(screen.getByText("asks first")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("switch", { name: /^Commands/ }).checked).toBe(true);
  fireEvent.click(screen.getByRole("switch", { name: /^Memory/ }));
  fireEvent.click(screen.getByRole("switch", { name: /^Commands/ }));
  press("Create draft");
  await waitFor(() => expect(posted.length).toBe(1));
  const { yaml } = posted[0] as { yaml: string };
  expect(yaml).toMatch(/^# Mine\.\n/);
  expect(readConfigText(yaml).config).toMatchObject({
    backend: { type: "state" },
    memory: { paths: ["AGENTS.md"] },
  });
});
