import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { Delivery, DeliveryAttempts } from "@/lib/schema/triggers/delivery";
import type { IncomingWebhook, OutgoingWebhook, Webhook } from "@/lib/schema/webhooks/webhook";
import { withQueries } from "@/lib/testing/react/with-queries";
import { WebhookDialog } from "./webhook-dialog";
import { WebhooksPage } from "./webhooks-page";

const SHELL = { setPageKeys: vi.fn(), viewer: { role: "admin" } } as unknown as Shell;
const CREATED = "2026-11-01T00:00:00.000Z";
const ISSUES: IncomingWebhook = {
  direction: "in",
  id: "hook_1",
  name: "github-issues",
  agentId: "triage",
  agentName: "Triage",
  prompt: "Triage {{/issue/title}}",
  runAs: null,
  runAsName: "Automation",
  on_ask: "deny",
  thread: "new",
  budget: { run_usd: null, day_usd: null },
  signature: "github",
  header: "x-signature",
  rate_per_minute: 60,
  repeats: "known",
  repeatWindow: "10m",
  enabled: true,
  secrets: [{ number: 1, createdAt: CREATED, expiresAt: null }],
  lastAt: null,
  createdAt: CREATED,
  url: "http://x.test/hooks/hook_1",
  apiKey: null,
  pausedReason: null,
  started: 3,
  refused: 1,
};
const DESK: OutgoingWebhook = {
  direction: "out",
  id: "wh_1",
  name: "release-desk",
  url: "https://desk.test/hooks",
  agentId: null,
  events: ["run.failed"],
  enabled: true,
  secrets: [],
  lastAt: null,
  createdAt: CREATED,
  sent: 4,
  pending: 1,
  failed: 2,
};
const DEAD: Delivery = {
  id: "dlv_1",
  runId: "run_1",
  event: "run.failed",
  target: { webhook: "wh_1" },
  state: "failed",
  attempts: 7,
  nextAt: null,
  error: "The address answered with HTTP status 503.",
  createdAt: CREATED,
  sentAt: null,
};
const ATTEMPTS: DeliveryAttempts = {
  body: '{"type":"run.failed"}',
  attempts: [
    { at: CREATED, tookMs: 84, status: 503, error: DEAD.error, headers: { "webhook-id": "dlv_1" }, response: "Away" },
  ],
};

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** The server's replies, by the end of the path; requests are recorded. */
function answer(replies: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, options: RequestInit = {}) => {
    asked.push(`${options.method ?? "GET"} ${path}`);
    const known = Object.entries(replies).find(([end]) => path.includes(end));
    return Response.json(known?.[1] ?? {});
  });
  return asked;
}

function open(webhooks: readonly Webhook[], more: Readonly<Record<string, unknown>> = {}, search = "") {
  const asked = answer({ ...more, "/firings": { firings: [], nextCursor: null }, "/api/webhooks": { webhooks } });
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <Queries>
        <ShellProvider value={SHELL}>
          <WebhooksPage />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
  return asked;
}

test("without webhooks the page says what one does", async () => {
  open([]);
  expect(await screen.findByText("No webhooks yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "New webhook" })).toBeTruthy();
});

test("both directions stand in the list, each with what matters about it", async () => {
  open([ISSUES, DESK]);
  const incoming = await screen.findByRole("region", { name: "In, a request starts a run" });
  expect(within(incoming).getByRole("link").textContent).toContain("Triage · GitHub signature");
  const outgoing = screen.getByRole("region", { name: "Out, an event is sent" });
  expect(within(outgoing).getByRole("link").textContent).toContain("2 dead letters, 1 on the way");
  expect(await screen.findByText("No requests yet")).toBeTruthy();
});

test("a dead letter shows its attempts and what came back, and is sent again", async () => {
  const replies = {
    "/attempts": ATTEMPTS,
    "/resend": DEAD,
    "/api/deliveries": { deliveries: [DEAD], nextCursor: null },
  };
  const asked = open([ISSUES, DESK], replies, "?webhook=wh_1");
  fireEvent.click(await screen.findByRole("button", { name: /Dead letter/ }));
  expect(await screen.findByText("503")).toBeTruthy();
  expect(screen.getByText(/webhook-id: dlv_1/).textContent).toContain('{"type":"run.failed"}');
  expect(screen.getByRole("link", { name: "Open trace" }).getAttribute("href")).toBe("/traces/run_1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  fireEvent.click(screen.getByRole("button", { name: "Resend" }));
  expect(asked).not.toContain("POST /api/deliveries/dlv_1/resend");
  vi.advanceTimersByTime(6_000);
  await waitFor(() => expect(asked).toContain("POST /api/deliveries/dlv_1/resend"));
});

test("deliveries are worked by keys, filtered by state and event, and deleted", async () => {
  const other: Delivery = { ...DEAD, id: "dlv_2", event: "run.completed", state: "sent", error: null };
  const replies = { "/resend": DEAD, "/api/deliveries": { deliveries: [DEAD, other], nextCursor: null } };
  const asked = open([{ ...DESK, events: ["run.failed", "run.completed"] }], replies, "?webhook=wh_1");
  const [first, second] = await screen.findAllByRole("button", { name: /^(Dead letter|Sent)/ });
  fireEvent.keyDown(document.body, { key: "j" });
  expect(document.activeElement).toBe(first);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "j" });
  expect(document.activeElement).toBe(second);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "r" });
  vi.advanceTimersByTime(6_000);
  await waitFor(() => expect(asked).toContain("POST /api/deliveries/dlv_2/resend"));
  fireEvent.click(screen.getByRole("radio", { name: /Dead letters/ }));
  fireEvent.click(screen.getByRole("button", { name: "All events Event" }));
  fireEvent.click(await screen.findByRole("option", { name: "run.failed" }));
  await waitFor(() =>
    expect(asked.at(-1)).toMatch(/deliveries\?limit=100&webhookId=wh_1&state=failed&event=run\.failed/),
  );
  fireEvent.click(first as HTMLElement);
  fireEvent.click(within(screen.getByRole("region", { name: "Deliveries" })).getByRole("button", { name: "Delete" }));
  expect(first?.isConnected).toBe(false);
  vi.advanceTimersByTime(6_000);
  await waitFor(() => expect(asked).toContain("DELETE /api/deliveries/dlv_1"));
  fireEvent.keyDown(document.body, { key: "t" });
  expect(screen.getByRole("region", { name: "Try it" }).contains(document.activeElement)).toBe(true);
});

test("every problem stands beside its field, the server's too, and what was typed stays", async () => {
  const details = [{ path: "prompt", message: "names a value twice" }];
  const error = { code: "invalid_input", message: "prompt: names a value twice", details };
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit = {}) =>
    method === "PATCH"
      ? Response.json({ error }, { status: 400 })
      : Response.json({ agents: [], users: [], nextCursor: null }),
  );
  render(<WebhookDialog webhook={ISSUES} onClose={vi.fn()} />, { wrapper: withQueries() });
  const name = screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  fireEvent.change(name, { target: { value: "" } });
  fireEvent.submit(name.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Must not be empty.")).toBeTruthy();
  fireEvent.change(name, { target: { value: "issues" } });
  fireEvent.submit(name.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Names a value twice.")).toBeTruthy();
  expect(name.value).toBe("issues");
});

test("an empty form says all that is missing at once", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ agents: [], users: [], nextCursor: null }));
  render(<WebhookDialog webhook={null} onClose={vi.fn()} />, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: "Create webhook" }));
  expect(await screen.findByText("Choose an agent.")).toBeTruthy();
  expect(screen.getAllByText("Must not be empty.")).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Name" }));
});

test("whose rights its runs have is chosen among active members; administrators are not offered", async () => {
  const person = { role: "member", groupRole: null, deactivatedAt: null, erasedAt: null, createdAt: CREATED } as const;
  const users = [
    { ...person, id: "u1", name: "Ada", email: "ada@x.test" },
    { ...person, id: "u2", name: "Root", email: "root@x.test", role: "admin" },
    { ...person, id: "u3", name: "Grouped", email: "grouped@x.test", groupRole: "admin" },
    { ...person, id: "u4", name: "Gone", email: "gone@x.test", deactivatedAt: CREATED },
    { ...person, id: "u5", name: "Reader", email: "reader@x.test", role: "viewer" },
    { ...person, id: "u6", name: "Zed", email: "zed@x.test", role: "viewer", groupRole: "member" },
  ];
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    if (method === "PATCH") sent.push(JSON.parse(String(body)).runAs);
    if (!path.startsWith("/api/users")) return Response.json(method === "PATCH" ? ISSUES : { agents: [] });
    const isFirst = !path.includes("cursor");
    return Response.json({ users: isFirst ? users.slice(0, 3) : users.slice(3), nextCursor: isFirst ? "u3" : null });
  });
  const stored = { ...ISSUES, runAs: "u4", runAsName: "Gone" };
  render(<WebhookDialog webhook={stored} onClose={vi.fn()} />, { wrapper: withQueries() });
  const field = screen.getByRole("button", { name: /Whose rights its runs have$/ });
  expect(field.textContent).toContain("Gone");
  await waitFor(() => {
    fireEvent.click(field);
    expect(screen.getByRole("option", { name: /^Zed/ })).toBeTruthy();
  });
  const offered = screen.getAllByRole("option").map(({ textContent }) => textContent);
  expect(offered).toEqual([
    "AutomationA built-in member who can’t sign in",
    "GoneCan no longer be chosen",
    "Adaada@x.test",
    "Zedzed@x.test",
  ]);
  fireEvent.click(screen.getByRole("option", { name: /^Ada/ }));
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  await waitFor(() => expect(sent).toEqual(["u1"]));
});
