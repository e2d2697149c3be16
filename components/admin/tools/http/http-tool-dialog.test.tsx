import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RegisteredTool } from "@/lib/schema/tools/http-tool";
import { withQueries } from "@/lib/testing/react/with-queries";
import { HttpToolDialog } from "./http-tool-dialog";

const OPENED: RegisteredTool = {
  name: "weather",
  description: "The weather",
  parameters: { type: "object" },
  callback_url: "https://example.org/weather",
  read_only: false,
  signed: false,
  updated_at: "2026-11-20T12:00:00.000Z",
};
const THEIRS: RegisteredTool = { ...OPENED, description: "Theirs", updated_at: "2026-11-20T12:05:00.000Z" };

let stored: RegisteredTool;

beforeEach(() => {
  stored = THEIRS;
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    const sent = JSON.parse(String(body));
    if (sent.updated_at !== stored.updated_at) {
      const error = { code: "conflict", message: "It was saved.", details: { current: stored } };
      return Response.json({ error }, { status: 409 });
    }
    stored = { ...stored, description: sent.description, updated_at: "2026-11-20T12:09:00.000Z" };
    return Response.json(stored);
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const show = (tool: RegisteredTool) =>
  render(<HttpToolDialog tool={tool} onClose={() => undefined} />, { wrapper: withQueries() });
const description = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Description" });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));

it("keeps what was typed over a conflict and a reload, and says whose change it would replace", async () => {
  const { unmount } = show(OPENED);
  fireEvent.change(description(), { target: { value: "Mine" } });
  save();
  expect((await screen.findByRole("alert")).textContent).toContain("save again to keep yours");
  expect(screen.getByText("Theirs:").parentElement?.textContent).toBe("Theirs: Theirs");
  unmount();
  show(THEIRS);
  expect(description().value).toBe("Mine");
  save();
  await waitFor(() => expect(stored.description).toBe("Mine"));
});

it("does not save over another person's change that came between typing and a reload", async () => {
  const { unmount } = show(OPENED);
  fireEvent.change(description(), { target: { value: "Mine" } });
  unmount();
  show(THEIRS);
  expect(description().value).toBe("Mine");
  save();
  expect((await screen.findByRole("alert")).textContent).toContain("save again to keep yours");
  expect(stored.description).toBe("Theirs");
});

it("says all that is missing at once", async () => {
  render(<HttpToolDialog onClose={() => undefined} />, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: "Create tool" }));
  expect(await screen.findByText("Must be 1 to 64 small letters, digits and _.")).toBeTruthy();
  expect(screen.getByText("Must not be empty.")).toBeTruthy();
  expect(screen.getByText("Must be a web address.")).toBeTruthy();
});
