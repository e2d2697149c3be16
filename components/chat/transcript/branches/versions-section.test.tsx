import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { Viewer } from "@/lib/schema/users/user";
import { withQueries } from "@/lib/testing/react/with-queries";
import { VersionsSection } from "./versions-section";

const reply = (messageId: string, change: object = {}) => ({
  messageId,
  status: "completed",
  steps: 6,
  model: "openai:gpt-5",
  costUsd: 0.05,
  isShown: false,
  ...change,
});
const version = (messageId: string, replies: object[], isShown = false) => ({
  messageId,
  text: `Text of ${messageId}`,
  createdAt: "2026-11-20T12:00:00.000Z",
  isShown,
  replies,
});

let asked: string[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    asked.push([method, path, body ?? ""].join(" ").trim());
    if (method === "PUT") return new Response(null, { status: 204 });
    if (path.endsWith("/fork")) return Response.json({ id: "th_2" }, { status: 201 });
    if (path.includes("/files")) return Response.json({ path: "", entries: [] });
    const versions = [
      version("m1", [reply("a1")]),
      version("m2", [reply("a2"), reply("a3", { isShown: true, costUsd: null })], true),
      version("m3", [reply("a4", { status: "running" })]),
    ];
    return Response.json(path.endsWith("/branch") ? { versions } : {});
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const go = vi.fn();

function show(props: Partial<Parameters<typeof VersionsSection>[0]>) {
  const shell = { viewer: {} as Viewer, openPalette: vi.fn(), go, setPageKeys: vi.fn() };
  const Queries = withQueries();
  render(
    <Queries>
      <ShellProvider value={shell}>
        <VersionsSection threadId="th_1" moment="1" forkFrom={null} isRunning={false} {...props} />
      </ShellProvider>
    </Queries>,
  );
}

test("versions say what they took and cost, the shown one is marked, and each can be shown", async () => {
  show({});
  const first = await screen.findByRole("button", { name: /Text of m1/ });
  expect(first.textContent).toContain("6 steps, $0.05");
  const current = screen.getAllByRole("button").filter((row) => row.getAttribute("aria-current") === "true");
  expect(current.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("2 Text of m22 replies, cost unknown"),
    "reply 2, gpt-5cost unknown",
  ]);
  expect(screen.getByRole("button", { name: /Text of m3/ }).textContent).toContain("being answered");
  fireEvent.click(screen.getByRole("button", { name: /reply 1/ }));
  await waitFor(() => expect(asked).toContain('PUT /api/threads/th_1/branch {"messageId":"a2"}'));
});

test("the shown version is forked from the panel with what was chosen", async () => {
  show({ forkFrom: "a3" });
  fireEvent.click(await screen.findByRole("checkbox", { name: "The files as they are now" }));
  fireEvent.click(screen.getByRole("checkbox", { name: "The todos as they were here" }));
  fireEvent.click(screen.getByRole("button", { name: "Fork to a new thread" }));
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/threads/th_2"));
  const body = { messageId: "a3", carry: { files: false, todos: true } };
  expect(asked).toContain(`POST /api/threads/th_1/fork ${JSON.stringify(body)}`);
});

test("a reply that is being written can't be forked, and readers are offered no fork", async () => {
  show({ forkFrom: "a3", isRunning: true });
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Fork to a new thread" });
  expect(button.disabled).toBe(true);
  expect(screen.getByText("Possible once the reply has ended.")).toBeTruthy();
  cleanup();
  show({});
  await screen.findByRole("button", { name: /Text of m1/ });
  expect(screen.queryByText("Fork")).toBeNull();
});
