import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RequestTool } from "@/lib/schema/tools/request-tool";
import { withQueries } from "@/lib/testing/react/with-queries";
import { RequestToolDialog } from "./request-tool-dialog";

const TOOL: RequestTool = {
  kind: "request",
  name: "weather",
  description: "The weather",
  method: "GET",
  url: "https://example.test/{city}",
  query: {},
  headers: [{ name: "X-Key", secret: { set: true } }],
  body: null,
  result: null,
  timeoutMs: 30_000,
  arguments: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  readOnly: true,
  updatedAt: "2026-11-20T12:00:00.000Z",
};

const sent: { path: string; method: string; body: Record<string, unknown> }[] = [];
let refusal: Response | null;

beforeEach(() => {
  sent.length = 0;
  refusal = null;
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    sent.push({ path, method, body: JSON.parse(String(body)) });
    return refusal ?? Response.json(TOOL, { status: method === "POST" ? 201 : 200 });
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const show = (tool?: RequestTool) =>
  render(<RequestToolDialog {...(tool ? { tool } : {})} onClose={() => undefined} />, { wrapper: withQueries() });
/** The form's own fields come before those of its rows. */
const box = (name: string) => screen.getAllByRole<HTMLInputElement>("textbox", { name })[0] as HTMLInputElement;
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

it("makes a tool without any JSON: what the address names becomes an argument", async () => {
  show();
  type("Name", "weather");
  type("Description", "The weather of a city");
  type("URL", "https://example.test/{city}");
  press("Add city");
  expect(screen.queryByRole("button", { name: "Add city" })).toBeNull();
  fireEvent.change(within(screen.getByRole("group", { name: "city" })).getByRole("textbox", { name: "Description" }), {
    target: { value: "Where" },
  });
  press("Create tool");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    path: "/api/http-tools",
    method: "POST",
    body: {
      name: "weather",
      method: "GET",
      url: "https://example.test/{city}",
      arguments: {
        type: "object",
        properties: { city: { type: "string", description: "Where" } },
        required: ["city"],
      },
      readOnly: true,
    },
  });
});

it("keeps rows apart while they are named, and says what a name may be", () => {
  show(TOOL);
  press("Add argument");
  const group = screen.getByRole("group", { name: "argument 2" });
  const name = within(group).getByRole<HTMLInputElement>("textbox", { name: "Name" });
  fireEvent.change(name, { target: { value: "9 days" } });
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(within(group).getByText("Letters, digits and _, beginning with a letter.")).toBeTruthy();
  fireEvent.change(name, { target: { value: "city" } });
  expect(within(group).getByText("There is already one with this name.")).toBeTruthy();
  fireEvent.change(name, { target: { value: "days" } });
  expect(name.getAttribute("aria-invalid")).toBeNull();
  press("Remove city");
  press("Edit as JSON Schema");
  expect(JSON.parse(box("JSON Schema").value)).toEqual({
    type: "object",
    properties: { days: { type: "string" } },
    required: ["days"],
  });
});

it("shows a schema that a table can't show as text", () => {
  show({ ...TOOL, arguments: { type: "object", properties: { a: { type: "number", minimum: 1 } } } });
  expect(screen.getByText("More than a table shows")).toBeTruthy();
  expect(box("JSON Schema").value).toContain('"minimum": 1');
});

it("keeps a stored secret, sends a new one, and keeps neither in the browser", async () => {
  const { unmount } = show(TOOL);
  expect(box("Secret headers").value).toBe("X-Key: ••••••");
  type("Secret headers", "X-Key: ••••••\nX-Other: another-secret-1");
  type("Description", "Changed");
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("another-secret-1");
  unmount();
  show(TOOL);
  expect([box("Description").value, box("Secret headers").value]).toEqual(["Changed", "X-Key: ••••••"]);
  type("Secret headers", "X-Key: ••••••\nX-Other: another-secret-1");
  press("Save");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    path: "/api/http-tools/weather",
    method: "PATCH",
    body: {
      headers: [
        { name: "X-Key", secret: { set: true } },
        { name: "X-Other", secret: "another-secret-1" },
      ],
      updatedAt: TOOL.updatedAt,
    },
  });
});

it("opens what is folded where the server refuses something in it", async () => {
  const message = "Enter it again: the stored one belongs to another address.";
  const details = [{ path: "headers.0.secret", message }];
  refusal = Response.json({ error: { code: "invalid_input", message: "x", details } }, { status: 400 });
  show(TOOL);
  press("Fewer settings");
  expect(screen.queryByRole("textbox", { name: "Secret headers" })).toBeNull();
  press("Save");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(box("Secret headers")).toBeTruthy();
});
