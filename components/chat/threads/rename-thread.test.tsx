import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { RenameThread } from "./rename-thread";

afterEach(cleanup);

const AT = new Date().toISOString();
const THREAD: ThreadSummary = {
  id: "th",
  agentId: "a",
  agentName: "A",
  title: "Old",
  pinned: false,
  archived: false,
  status: "completed",
  activeRunId: null,
  createdAt: AT,
  updatedAt: AT,
};

test("a name that the server does not accept stays in the field, with the reason, and can be sent again", async () => {
  const onRename = vi.fn(async () => undefined);
  onRename.mockRejectedValueOnce(new ApiError("Something broke.", 500, "internal", null));
  const onClose = vi.fn();
  render(<RenameThread thread={THREAD} onRename={onRename} onClose={onClose} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });
  fireEvent.change(field, { target: { value: "New" } });
  fireEvent.click(screen.getByRole("button", { name: "Rename" }));
  fireEvent.click(screen.getByRole("button", { name: "Rename" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Something broke.");
  expect(onRename).toHaveBeenCalledExactlyOnceWith("New");
  expect(field.value).toBe("New");
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Rename" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
