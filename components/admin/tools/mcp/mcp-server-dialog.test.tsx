import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { McpServer } from "@/lib/schema/tools/mcp-server";
import { withQueries } from "@/lib/testing/react/with-queries";
import { McpServerDialog } from "./mcp-server-dialog";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

it("says what the server refuses beside its field, and sends the form again once it is right", async () => {
  const message = "This is a private address.";
  const refusal = { error: { code: "invalid_input", message, details: [{ path: "url", message }] } };
  const fetch = vi.fn(async () => Response.json(refusal, { status: 400 }));
  vi.stubGlobal("fetch", fetch);
  render(<McpServerDialog stdioAllowed={false} onClose={vi.fn()} onSaved={vi.fn()} />, { wrapper: withQueries() });
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name }), { target: { value } });
  type("Id", "github");
  type("Address", "http://10.0.0.1/");
  fireEvent.click(screen.getByRole("button", { name: "Add server" }));
  await screen.findByText(message);
  expect(screen.getByRole("textbox", { name: "Id" })).toHaveProperty("value", "github");
  type("Address", "https://mcp.example.org/");
  fireEvent.click(screen.getByRole("button", { name: "Add server" }));
  await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
  cleanup();
});

const SERVER: McpServer = {
  id: "forge",
  transport: "http",
  url: "https://old.org/",
  command: null,
  args: [],
  env: {},
  headers: {},
  token: null,
  unsandboxed: false,
  network: false,
  mounts: [],
  auth: "none",
  scope: "shared",
  enabled: true,
  state: "connected",
  awaySince: null,
  awayReason: null,
  askedAt: null,
  facts: null,
  revision: 3,
  clientId: null,
  clientSecret: null,
  connection: null,
  tools: { known: 1, offered: 1, waiting: 0 },
};

it("puts what another person saved under what was typed, names what both changed, and saves over the newer revision", async () => {
  const current = {
    ...SERVER,
    url: "https://theirs.org/",
    headers: { "X-Team": { set: true, keyId: "k" } },
    revision: 4,
  };
  const conflict = { error: { code: "conflict", message: "It was changed.", details: { current } } };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return Response.json(sent.length === 1 ? conflict : current, { status: sent.length === 1 ? 409 : 200 });
  });
  const onSaved = vi.fn();
  render(<McpServerDialog server={SERVER} stdioAllowed={false} onClose={vi.fn()} onSaved={onSaved} />, {
    wrapper: withQueries(),
  });
  fireEvent.change(screen.getByRole("textbox", { name: "Address" }), { target: { value: "https://mine.org/" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Another person saved forge while you were typing.");
  expect(screen.getByText("https://theirs.org/").textContent).toBe("Theirs: https://theirs.org/");
  expect(screen.getByRole("textbox", { name: "Address" })).toHaveProperty("value", "https://mine.org/");
  expect(screen.getByRole("textbox", { name: "Headers" })).toHaveProperty("value", "X-Team: ••••••");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(sent[1]).toMatchObject({ url: "https://mine.org/", headers: { "X-Team": { set: true } }, revision: 4 });
});

it("keeps over a reload what was typed, without secrets, until it is cancelled", () => {
  const open = () =>
    render(<McpServerDialog stdioAllowed={false} onClose={vi.fn()} onSaved={vi.fn()} />, { wrapper: withQueries() });
  const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
  open();
  fireEvent.change(field("Id"), { target: { value: "github" } });
  fireEvent.change(field("Headers"), { target: { value: "X-Key: secret" } });
  cleanup();
  open();
  expect([field("Id").value, field("Headers").value]).toEqual(["github", ""]);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("secret");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  cleanup();
  open();
  expect(field("Id").value).toBe("");
});
