import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DuplicateDialog } from "./duplicate-dialog";

const push = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

beforeEach(() => {
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) =>
    JSON.parse(String(body)).id === "taken"
      ? Response.json({ error: { code: "conflict", message: "There is one already." } }, { status: 409 })
      : Response.json({ id: "free" }, { status: 201 }),
  );
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const show = () => render(<DuplicateDialog agentId="coder" onClose={() => undefined} />, { wrapper: withQueries() });
const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Id of the copy" });
const duplicate = () => fireEvent.click(screen.getByRole("button", { name: "Duplicate" }));

it("takes another id after one that is taken, and a reload keeps what was typed", async () => {
  const { unmount } = show();
  expect(field().value).toBe("coder-copy");
  fireEvent.change(field(), { target: { value: "taken" } });
  duplicate();
  await screen.findByText("There is one already.");
  unmount();
  show();
  expect(field().value).toBe("taken");
  duplicate();
  await screen.findByText("There is one already.");
  fireEvent.change(field(), { target: { value: "free" } });
  await waitFor(() => expect(screen.queryByText("There is one already.")).toBeNull());
  duplicate();
  await waitFor(() => expect(push).toHaveBeenCalledWith("/admin/agents/free"));
});
