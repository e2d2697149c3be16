import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { moveWithArrows } from "@/lib/client/ui/input/move-with-arrows";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ReplyThumbs } from "./reply-thumbs";

const SHELL = { viewer: { id: "mara" } } as unknown as Shell;
const TIMES = { createdAt: "2026-11-20T12:00:00.000Z", updatedAt: "2026-11-20T12:00:00.000Z" };
const stored = (value: number, why: string | null) => ({
  id: "sco_1",
  runId: "run_1",
  spanId: "sp_run_1",
  name: "thumb",
  value,
  why,
  correction: null,
  authorId: "mara",
  authorName: "Mara",
  ...TIMES,
});

let isAway: boolean;
let kept: ReturnType<typeof stored>[];
let sent: string[];

/** A server that stores one person's thumb on one run. */
async function answer(path: string, { method = "GET", body }: RequestInit): Promise<Response> {
  if (isAway) throw new TypeError("no network");
  if (method !== "GET") sent.push(`${method} ${path} ${body ?? ""}`.trim());
  if (method === "DELETE") kept = [];
  if (method === "POST") {
    const { value, why = null } = JSON.parse(String(body));
    kept = [stored(value, why)];
    return Response.json(kept[0]);
  }
  return method === "GET" ? Response.json({ scores: kept }) : new Response(null, { status: 204 });
}

beforeEach(() => {
  [isAway, kept, sent] = [false, [], []];
  vi.stubGlobal("fetch", answer);
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

async function show() {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 60_000 }, mutations: { networkMode: "always" } },
  });
  const drawn = () => (
    <ShellProvider value={SHELL}>
      <ReplyThumbs threadId="th_1" runId="run_1" />
    </ShellProvider>
  );
  const { rerender, unmount } = render(drawn(), { wrapper: withQueries(client) });
  await waitFor(() => expect(up().getAttribute("aria-disabled")).toBe("false"));
  return { leave: unmount, comeBack: () => render(drawn(), { wrapper: withQueries(client) }), rerender };
}

const up = () => screen.getByRole<HTMLButtonElement>("button", { name: "Good reply" });
const down = () => screen.getByRole<HTMLButtonElement>("button", { name: "Bad reply" });
const pressed = () => [up(), down()].map((button) => button.getAttribute("aria-pressed"));

test("a thumb down is stored at once, and its reasons once they are saved", async () => {
  await show();
  fireEvent.click(down());
  const reason = await screen.findByRole("button", { name: "Ignored my instructions" });
  fireEvent.keyDown(reason, { key: "3" });
  fireEvent.keyDown(reason, { key: "5" });
  fireEvent.change(screen.getByRole("textbox", { name: "Note" }), { target: { value: "Half would do." } });
  fireEvent.keyDown(reason, { key: "Enter", ctrlKey: true });
  await screen.findByRole("button", { name: "Ignored my instructions, Too long" });
  const thumb = { runId: "run_1", name: "thumb", value: -1 };
  await waitFor(() =>
    expect(sent).toEqual([
      `POST /api/scores ${JSON.stringify(thumb)}`,
      `POST /api/scores ${JSON.stringify({ ...thumb, why: "Ignored my instructions, Too long\nHalf would do." })}`,
    ]),
  );
  expect(document.activeElement).toBe(down());
});

test("digits in the note are text, and Escape closes the reasons and keeps the thumb", async () => {
  await show();
  fireEvent.click(down());
  const note = await screen.findByRole("textbox", { name: "Note" });
  fireEvent.keyDown(note, { key: "1" });
  expect(screen.getByRole("button", { name: "Not true" }).getAttribute("aria-pressed")).toBe("false");
  fireEvent.keyDown(note, { key: "Escape" });
  expect(screen.queryByRole("textbox", { name: "Note" })).toBeNull();
  expect(pressed()).toEqual(["false", "true"]);
});

test("reasons that were left open are there again after a reload, and leave the focus where it is", async () => {
  const page = await show();
  fireEvent.click(down());
  await waitFor(() => expect(document.activeElement?.closest("form")).not.toBeNull());
  page.leave();
  page.comeBack();
  await screen.findByRole("textbox", { name: "Note" });
  expect(document.activeElement).toBe(document.body);
});

test("while it is not known what is stored, the keys reach the thumbs and a press changes nothing", async () => {
  kept = [stored(1, null)];
  render(
    <ShellProvider value={SHELL}>
      <div role="toolbar" onKeyDown={moveWithArrows}>
        <button type="button">Copy reply</button>
        <ReplyThumbs threadId="th_1" runId="run_1" />
      </div>
    </ShellProvider>,
    { wrapper: withQueries(new QueryClient()) },
  );
  const copy = screen.getByRole("button", { name: "Copy reply" });
  copy.focus();
  fireEvent.keyDown(copy, { key: "End" });
  expect(document.activeElement).toBe(down());
  fireEvent.click(down());
  await waitFor(() => expect(pressed()).toEqual(["true", "false"]));
  expect(sent).toEqual([]);
});

test("a second press takes the thumb back", async () => {
  kept = [stored(1, null)];
  await show();
  expect(pressed()).toEqual(["true", "false"]);
  fireEvent.click(up());
  expect(pressed()).toEqual(["false", "false"]);
  await waitFor(() => expect(sent).toEqual(["DELETE /api/scores/sco_1"]));
});

test("what was not stored says so, also after its reply was out of sight, and can be sent again", async () => {
  const page = await show();
  isAway = true;
  fireEvent.click(up());
  expect((await screen.findByRole("alert")).textContent).toContain("Thumb not stored.");
  page.leave();
  page.comeBack();
  expect(screen.getByRole("alert").textContent).toContain("Thumb not stored.");
  expect(pressed()).toEqual(["true", "false"]);
  isAway = false;
  fireEvent.click(screen.getByRole("button", { name: "Send again" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(kept).toMatchObject([{ value: 1 }]);
});

test("what was not stored can be discarded: what is stored then shows again", async () => {
  kept = [stored(-1, null)];
  await show();
  isAway = true;
  fireEvent.click(up());
  fireEvent.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(pressed()).toEqual(["false", "true"]));
});
