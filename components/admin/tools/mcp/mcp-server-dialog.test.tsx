import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { McpServerDialog } from "./mcp-server-dialog";

afterEach(() => {
  cleanup();
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
