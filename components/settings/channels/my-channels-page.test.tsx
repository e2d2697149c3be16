import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { toastStore } from "@/lib/client/ui/toast-store";
import type { ChannelLink, ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { withQueries } from "@/lib/testing/react/with-queries";
import { MyChannelsPage } from "./my-channels-page";

const SHELL = {} as unknown as Shell;
const LINK: ChannelLink = {
  id: "lnk_1",
  userId: "u1",
  userName: "Petra Vogel",
  paused: null,
  apiKey: null,
  channelId: "ch_1",
  channelName: "Lab",
  kind: "telegram",
  chatKind: "direct",
  chatName: "@petra",
  agentId: "coder",
  agentName: "Coder",
  agentVersion: 3,
  threadId: "th_1",
  verifiedAt: new Date().toISOString(),
  lastUsedAt: null,
  runs: 2,
  cost: { usd: 0.31, ofUsd: 5, period: "month" },
};
type Linkable = ChannelLinkList["channels"][number];
const CHANNEL: Linkable = {
  id: "ch_1",
  name: "Lab",
  username: "@lab_bot",
  error: null,
  kind: "telegram",
  state: "connected",
};
const DOWN: Linkable = {
  id: "ch_2",
  name: "Desk",
  username: null,
  error: "The token was revoked",
  kind: "slack",
  state: "failed",
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(list: ChannelLinkList, code: object = {}) {
  const answers = { list };
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${path}`);
    if (path.startsWith("/agents")) return Response.json({ agents: [] });
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (path.endsWith("/restore")) return Response.json(LINK);
    return Response.json(method === "POST" ? code : answers.list, { status: method === "POST" ? 201 : 200 });
  });
  render(
    <ShellProvider value={SHELL}>
      <MyChannelsPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  return { asked, answers };
}

const EMPTY: ChannelLinkList = { links: [], codes: [], channels: [], lastId: null };

test("without a channel the page says who can add one", async () => {
  show(EMPTY);
  expect(await screen.findByText("No channels yet")).toBeTruthy();
});

test("a channel that is down can't be linked and says why", async () => {
  show({ ...EMPTY, channels: [DOWN] });
  const button = await screen.findByRole("button", { name: "Link a chat in Desk" });
  expect(button.hasAttribute("disabled")).toBe(true);
  expect(screen.getByText("can’t be linked now: The token was revoked")).toBeTruthy();
});

test("the code is shown with a link, and the third step says by itself that the chat is linked", async () => {
  const code = { code: "K7RP 42QX", expiresAt: new Date(Date.now() + 432_000).toISOString(), url: "https://t.me/lab" };
  const { answers } = show({ ...EMPTY, channels: [CHANNEL] }, code);
  fireEvent.click(await screen.findByRole("button", { name: "Link a chat in Lab" }));
  expect(await screen.findByText("K7RP 42QX")).toBeTruthy();
  expect(screen.getByRole("link", { name: "@lab_bot" }).getAttribute("href")).toBe("https://t.me/lab");
  expect(screen.getByText("Waiting for your message")).toBeTruthy();
  expect(await screen.findByRole("img", { name: "The link to @lab_bot" })).toBeTruthy();
  answers.list = { ...EMPTY, channels: [CHANNEL], links: [LINK] };
  expect(await screen.findByText("Linked: @petra, just now", {}, { timeout: 4_000 })).toBeTruthy();
  expect(screen.queryByRole("img", { name: "The link to @lab_bot" })).toBeNull();
});

test("an expired code says so, and another one can be had", async () => {
  const code = { code: "K7RP 42QX", expiresAt: new Date(Date.now() - 1_000).toISOString(), url: null };
  const { asked } = show({ ...EMPTY, channels: [CHANNEL] }, code);
  fireEvent.click(await screen.findByRole("button", { name: "Link a chat in Lab" }));
  expect(await screen.findByText("This code has expired.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "New code" }));
  await vi.waitFor(() => expect(asked.filter((call) => call === "POST /api/channel-links")).toHaveLength(2));
});

test("a chat is unlinked after a question, and linked again by Undo", async () => {
  const { asked } = show({ ...EMPTY, channels: [CHANNEL], links: [LINK] });
  fireEvent.click(await screen.findByRole("button", { name: "Unlink @petra" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("The thread stays. Messages from this chat no longer start anything.");
  fireEvent.click(within(dialog).getByRole("button", { name: "Unlink" }));
  await vi.waitFor(() => expect(asked).toContain("DELETE /api/channel-links/lnk_1"));
  await vi.waitFor(() => expect(toastStore.read().at(-1)?.title).toBe("Unlinked @petra"));
  const toast = toastStore.read().at(-1);
  expect(toast?.description).toBe("The thread stays. Messages from this chat no longer start anything.");
  toast?.onUndo?.();
  await vi.waitFor(() => expect(asked).toContain("POST /api/channel-links/lnk_1/restore"));
});

test("a chat says what it has cost of its person's budget, or in a week without one", async () => {
  const free: ChannelLink = {
    ...LINK,
    id: "lnk_2",
    chatName: "#lab",
    cost: { usd: null, ofUsd: null, period: "week" },
  };
  show({ ...EMPTY, channels: [CHANNEL], links: [LINK, free] });
  expect(await screen.findByText(/2 runs this week · \$0\.31 of your \$5 this month/)).toBeTruthy();
  expect(screen.getByText(/2 runs this week · unknown cost this week/)).toBeTruthy();
});
