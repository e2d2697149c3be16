import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { OpenApiPreview } from "@/lib/schema/tools/openapi-import";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ImportOpenApiDialog } from "./import-openapi-dialog";

const operation = { method: "GET", path: "/a", summary: "", readOnly: true };
const PREVIEW: OpenApiPreview = {
  title: "Issues",
  servers: ["https://issues.example.test"],
  auth: { header: "Authorization", prefix: "Bearer " },
  operations: [
    { ...operation, id: "list", name: "list_issues", summary: "List issues" },
    { ...operation, id: "upload", name: "upload", problem: "Its body is multipart/form-data." },
  ],
};

const sent: Record<string, unknown>[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    const asked = JSON.parse(String(body));
    sent.push(asked);
    if (asked.document === "swagger") {
      const details = [{ path: "document", message: "This is Swagger 2.0." }];
      return Response.json({ error: { code: "invalid_input", message: "x", details } }, { status: 400 });
    }
    if (!asked.operations) return Response.json(PREVIEW);
    return Response.json(
      { tools: [], skipped: [{ id: "list", problem: "There is already a tool." }] },
      { status: 201 },
    );
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

async function showOperations(): Promise<void> {
  render(<ImportOpenApiDialog onClose={() => undefined} />, { wrapper: withQueries() });
  type("Document", "https://issues.example.test/openapi.json");
  press("Show operations");
  await screen.findByRole("checkbox", { name: /list_issues/ });
}

it("shows what a document offers, makes the chosen ones, and says which could not be made", async () => {
  await showOperations();
  expect(sent).toEqual([{ url: "https://issues.example.test/openapi.json" }]);
  expect(screen.queryByRole("checkbox", { name: /upload/ })).toBeNull();
  expect(screen.getByText("1 operation can’t become a tool")).toBeTruthy();
  expect(box("Address").value).toBe("https://issues.example.test");
  fireEvent.click(screen.getByRole("checkbox", { name: /list_issues/ }));
  type("Secret (optional)", "Bearer token-of-mine");
  press("Create 1 tool");
  expect(await screen.findByText("There is already a tool.")).toBeTruthy();
  expect(sent[1]).toEqual({
    url: "https://issues.example.test/openapi.json",
    operations: ["list"],
    server: "https://issues.example.test",
    auth: { header: "Authorization", secret: "Bearer token-of-mine" },
  });
});

it("sends no secret where only the word before it stands", async () => {
  await showOperations();
  expect(box("Secret (optional)").value).toBe("Bearer ");
  fireEvent.click(screen.getByRole("checkbox", { name: /list_issues/ }));
  press("Create 1 tool");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).not.toHaveProperty("auth");
});

it("says beside the document why it can't be read", async () => {
  render(<ImportOpenApiDialog onClose={() => undefined} />, { wrapper: withQueries() });
  type("Document", "swagger");
  press("Show operations");
  expect(await screen.findByText("This is Swagger 2.0.")).toBeTruthy();
  expect(sent).toEqual([{ document: "swagger" }]);
});
