import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { EMPTY_CHANNEL, toCreateBody } from "@/lib/client/channels/channel-form";
import { writeKept } from "@/lib/client/forms/kept-values";
import type { Channel } from "@/lib/schema/channels/channel";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ChannelCard } from "./channel-card";
import { ChannelDialog } from "./channel-dialog";
import { ChannelEdit } from "./channel-edit";

const SLACK: Channel = {
  id: "ch_1",
  kind: "slack",
  name: "Acme",
  agentId: "coder",
  agentName: "Coder",
  enabled: true,
  state: "idle",
  username: null,
  testedAt: null,
  testedMs: null,
  ending: "7Qx",
  apiRoot: null,
  receives: "signed events",
  hookUrl: "https://ring.example/hooks/channels/ch_1",
  connectedAt: null,
  failedAt: null,
  error: null,
  lastUpdateAt: null,
  waitedAt: null,
  waitedSeconds: null,
  turnedAway: [],
  createdAt: "2026-11-01T00:00:00.000Z",
};

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** What was sent; `problems` are the server's problems with a new channel. */
function answer(problems: readonly { path: string; message: string }[] = []) {
  const sent: { readonly call: string; readonly body: unknown }[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (path.startsWith("/api/agents")) return Response.json({ agents: [] });
    sent.push({ call: `${method} ${path}`, body: typeof body === "string" ? JSON.parse(body) : null });
    if (path.endsWith("/test")) return Response.json({ ok: true, username: "@bot", error: null, tookMs: 5 });
    if (problems.length === 0) return Response.json(SLACK, { status: 201 });
    const error = { code: "invalid_input", message: "Some fields are wrong.", details: problems };
    return Response.json({ error }, { status: 400 });
  });
  return sent;
}

/** A new bot for which the agent was chosen before a reload. */
function showNew(onClose = vi.fn()) {
  writeKept("channel new", { base: EMPTY_CHANNEL, typed: { ...EMPTY_CHANNEL, agentId: "coder" } });
  render(<ChannelDialog channel={null} onClose={onClose} />, { wrapper: withQueries() });
}
const type = (name: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const choose = (kind: string) => fireEvent.click(screen.getByRole("radio", { name: kind }));

test("a Slack bot is added with its tokens and tested, and its card shows where Slack posts", async () => {
  const sent = answer();
  const onClose = vi.fn();
  showNew(onClose);
  choose("Slack");
  type("Name", "Acme");
  type("Bot token", " xoxb-1 ");
  type("Signing secret, for events", "s3cret");
  fireEvent.click(screen.getByRole("button", { name: "Add and test" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual([
    {
      call: "POST /api/channels",
      body: { kind: "slack", name: "Acme", agentId: "coder", token: "xoxb-1", signingSecret: "s3cret" },
    },
    { call: "POST /api/channels/ch_1/test", body: null },
  ]);
  cleanup();
  render(<ChannelCard channel={SLACK} onReplace={vi.fn()} />, { wrapper: withQueries() });
  expect(screen.getByText("https://ring.example/hooks/channels/ch_1")).toBeTruthy();
  expect(screen.getByText("get one fixed sentence, none in 7 days")).toBeTruthy();
  cleanup();
  const turnedAway: Channel["turnedAway"] = [{ kind: "stranger", count: 14, detail: "one fixed sentence" }];
  render(<ChannelCard channel={{ ...SLACK, turnedAway }} onReplace={vi.fn()} />, { wrapper: withQueries() });
  expect(screen.getByText("get one fixed sentence, 14 in 7 days")).toBeTruthy();
});

test("what is wrong with a mailbox stands beside its fields, and what was typed stays", async () => {
  answer([
    { path: "imap.host", message: "does not answer" },
    { path: "authservId", message: "is needed" },
  ]);
  showNew();
  choose("Email");
  type("Address", "agent@example.org");
  type("Name", "Mail");
  type("Password", "correct horse");
  type("SMTP server", "smtp.example.org");
  fireEvent.click(screen.getByRole("button", { name: "Add and test" }));
  await waitFor(() => expect(screen.getAllByText("Must not be empty.")).toHaveLength(2));
  type("IMAP server", "imap.example.org");
  type(/authserv-id/, "mx.example.org");
  fireEvent.click(screen.getByRole("button", { name: "Add and test" }));
  expect(await screen.findByText(/Does not answer/)).toBeTruthy();
  expect(screen.getByText(/Is needed/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Address").value).toBe("agent@example.org");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("correct horse");
});

test("a mailbox is read and written by TLS, or by STARTTLS at the ports for it", () => {
  const form = { ...EMPTY_CHANNEL, kind: "email", name: "Mail", address: "agent@example.org", password: "x" } as const;
  const usual = toCreateBody({ ...form, imapHost: "imap.example.org", smtpHost: "smtp.example.org" });
  expect(usual).toMatchObject({
    imap: { host: "imap.example.org", port: 993, secure: true, user: "agent@example.org" },
    smtp: { host: "smtp.example.org", port: 465, secure: true },
  });
  const other = toCreateBody({
    ...form,
    imapHost: "mail.example.org:143",
    smtpHost: "mail.example.org:587",
    user: "agent",
  });
  expect(other).toMatchObject({
    imap: { host: "mail.example.org", port: 143, secure: false, user: "agent" },
    smtp: { port: 587, secure: false },
  });
});

test("a channel is renamed without touching its credentials, and a refused name stands beside the field", async () => {
  const sent = answer();
  const onClose = vi.fn();
  render(<ChannelEdit channel={SLACK} onClose={onClose} />, { wrapper: withQueries() });
  type("Name", "Acme desk");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual([{ call: "PATCH /api/channels/ch_1", body: { name: "Acme desk", agentId: "coder" } }]);
  cleanup();
  answer([{ path: "name", message: "is taken" }]);
  render(<ChannelEdit channel={SLACK} onClose={onClose} />, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Is taken.")).toBeTruthy();
});
