import { MAILBOX_PASSWORD, startDovecot } from "../lib/testing/channels/dovecot-server";
import { startMailCatcher } from "../lib/testing/channels/mail-catcher";
import {
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_BOT_USER,
  startSlackServer,
} from "../lib/testing/channels/slack-server";
import { BOT_TOKEN, ScriptedTelegram } from "../lib/testing/servers/scripted-telegram";
import { requireMachine } from "../lib/testing/setup/require-machine";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A Telegram chat is paired and used, its approval is decided in the browser, and the button changes", async ({
  page,
  installation,
  openAs,
  sparePort,
}) => {
  const api = await new ScriptedTelegram().start(sparePort);
  try {
    const call = { calls: [{ name: "write_file", args: { path: "/workspace/n.txt", content: "n" } }] };
    const rules = { permissions: { enabled: true, mode: "default" } };
    await installation.addAgent("texter", [call, { text: "Written after a decision." }, { text: "Noted." }], rules);
    await page.goto("/automations/channels");
    await expect(page.getByText("No channels yet")).toBeVisible();
    await page.getByRole("button", { name: "Add bot" }).click();
    const dialog = page.getByRole("dialog", { name: "Add bot" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Lab");
    await dialog.getByRole("button", { name: /Agent that answers$/ }).click();
    await page
      .getByRole("option", { name: /texter/ })
      .first()
      .click();
    await dialog.getByRole("textbox", { name: "Token" }).fill(BOT_TOKEN);
    await dialog.getByRole("textbox", { name: /^Address of the service/ }).fill(api.url);
    await dialog.getByRole("button", { name: "Add and test" }).click();
    const card = page.getByRole("article", { name: "Lab" });
    await expect(card).toContainText("It is @ringmaster_lab_bot, “Lab”");

    const mine = await openAs(await installation.addPerson("member", "Petra Vogel"));
    await mine.goto("/settings/channels");
    await mine.getByRole("button", { name: "Link a chat in Lab" }).click();
    const steps = mine.getByRole("region", { name: "Connect Telegram" });
    await expect(steps.getByRole("img", { name: "The link to @ringmaster_lab_bot" })).toBeVisible();
    await mine.screenshot({ path: "test-results/channels-mine.png" });
    const code = (await steps.locator("code").textContent()) ?? "";
    const petra = { id: 7, first_name: "Petra", username: "petra" };
    api.say({ from: petra, text: code });
    await expect(steps.getByRole("status")).toHaveText("Linked: @petra, just now");

    api.say({ from: petra, text: "Write the note" });
    await expect.poll(() => api.sentTo(7).at(-1)?.buttons.length, { timeout: 20_000 }).toBe(2);
    const asked = api.sentTo(7).at(-1);
    await mine.reload();
    await mine.getByRole("link", { name: "Open thread" }).click();
    await expect(mine.getByText("Write the note").first()).toBeVisible();
    await mine.getByRole("button", { name: /^Allow once/ }).click();
    await expect.poll(() => asked?.text, { timeout: 12_000 }).toContain("✓ Allowed by Petra in the browser");
    expect(asked?.buttons).toEqual([]);
    await expect.poll(() => api.sentTo(7).at(-1)?.text).toBe("Written after a decision.");

    await mine.goto("/settings/notifications");
    const box = mine.getByRole("checkbox", { name: "A run finished: Channel" });
    await box.focus();
    await mine.keyboard.press("Space");
    await expect(mine.getByRole("status").filter({ hasText: "saved" })).toBeVisible();
    await expect(mine.getByText(/now @petra in Lab \(Telegram\)/)).toBeVisible();
    await mine.screenshot({ path: "test-results/notifications.png" });
    await mine.setViewportSize({ width: 390, height: 844 });
    await mine.screenshot({ path: "test-results/notifications-phone.png" });
    await mine.setViewportSize({ width: 1440, height: 900 });
    await mine.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const schedule = { agentId: "texter", name: "Nightly note", cron: "0 3 * * *", prompt: "Note it." };
      const made = await fetch("/api/schedules", { method: "POST", headers, body: JSON.stringify(schedule) });
      await fetch(`/api/schedules/${(await made.json()).id}/run`, { method: "POST", headers });
    });
    await expect.poll(() => api.sentTo(7).at(-1)?.text, { timeout: 20_000 }).toBe("A run has finished");

    await checkAccessibility(mine, "/settings/channels", async () =>
      expect(mine.getByRole("button", { name: "Unlink @petra" })).toBeVisible(),
    );
    await checkAccessibility(page, "/automations/channels", async () =>
      expect(page.getByRole("row", { name: /Petra Vogel/ })).toBeVisible(),
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Unlink @petra" }).click();
    await page.getByRole("button", { name: "Unlink", exact: true }).click();
    await expect(page.getByText("Unlinked @petra")).toBeVisible();
    await expect(page.getByRole("row", { name: /Petra Vogel/ })).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByRole("row", { name: /Petra Vogel/ })).toBeVisible();
    await card.getByRole("button", { name: "More about Lab" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete channel" }).click();
    await expect(card).toBeHidden();
  } finally {
    await api.close();
  }
});

const WRITES = [
  { text: "Hello from the agent." },
  { calls: [{ name: "write_file", args: { path: "/workspace/n.txt", content: "n" } }] },
  { text: "Written after a decision." },
];
const ASKING = { permissions: { enabled: true, mode: "default" } };

test("A Slack chat is paired and used, its approval is decided in the browser, and the button changes", async ({
  page,
  installation,
  openAs,
  sparePort,
}) => {
  const slack = await startSlackServer(sparePort);
  const said = () => slack.calls.filter(({ method }) => method === "chat.postMessage").map(({ fields }) => fields);
  let count = 0;
  const say = (text: string, more: Record<string, string> = {}) => {
    count += 1;
    const message = { type: "message", channel: "D1", channel_type: "im", user: "U1", text, ts: `${count}.000100` };
    const authorizations = [{ user_id: SLACK_BOT_USER }];
    const payload = { type: "event_callback", authorizations, event: { ...message, ...more } };
    slack.push({ type: "events_api", envelope_id: `envelope-${count}`, payload });
  };
  try {
    await installation.addAgent("slacker", WRITES, ASKING);
    await page.goto("/automations/channels");
    await page.getByRole("button", { name: "Add bot" }).click();
    const dialog = page.getByRole("dialog", { name: "Add bot" });
    await dialog.getByText("Slack", { exact: true }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Acme");
    await dialog.getByRole("button", { name: /Agent that answers$/ }).click();
    await page
      .getByRole("option", { name: /slacker/ })
      .first()
      .click();
    await dialog.getByRole("textbox", { name: "Bot token" }).fill(SLACK_BOT_TOKEN);
    await dialog.getByRole("textbox", { name: /^App token/ }).fill(SLACK_APP_TOKEN);
    await dialog.getByRole("textbox", { name: /^Address of the service/ }).fill(slack.apiRoot);
    await dialog.getByRole("button", { name: "Add and test" }).click();
    const card = page.getByRole("article", { name: "Acme" });
    await expect(card).toContainText("It is @ringmaster in Acme");
    await slack.until(() => slack.sockets > 0);

    const mine = await openAs(await installation.addPerson("member", "Sam Slack"));
    await mine.goto("/settings/channels");
    await mine.getByRole("button", { name: "Link a chat in Acme" }).click();
    const steps = mine.getByRole("region", { name: "Connect Slack" });
    say((await steps.locator("code").textContent()) ?? "");
    await expect(steps.getByRole("status")).toHaveText("Linked: @Petra, just now");

    say("Hello");
    await expect.poll(() => said().at(-1)?.text, { timeout: 20_000 }).toBe("Hello from the agent.");
    const root = `${count}.000100`;
    say("Write the note", { thread_ts: root });
    await expect.poll(() => said().at(-1)?.blocks, { timeout: 20_000 }).toContain("Allow once");
    expect(said().at(-1)?.thread_ts).toBe(root);
    await mine.reload();
    await mine.getByRole("link", { name: "Open thread" }).click();
    await expect(mine.getByText("Write the note").first()).toBeVisible();
    await mine.getByRole("button", { name: /^Allow once/ }).click();
    const edit = () => slack.calls.find(({ method }) => method === "chat.update")?.fields;
    await expect.poll(() => edit()?.text, { timeout: 12_000 }).toContain("✓ Allowed by Sam in the browser");
    expect(edit()?.blocks).not.toContain("actions");
    await expect.poll(() => said().at(-1)).toMatchObject({ text: "Written after a decision.", thread_ts: root });
  } finally {
    await slack.close();
  }
});

test("An address is paired by mail and used, and its approval is a mail that leads to the inbox", async ({
  page,
  installation,
  openAs,
}) => {
  test.skip(!requireMachine("dovecot"), "dovecot is not installed");
  const [dovecot, smtp] = await Promise.all([startDovecot(["agent"]), startMailCatcher(MAILBOX_PASSWORD)]);
  let count = 0;
  const write = async (text: string, subject: string) => {
    count += 1;
    const trusted = "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example";
    const head = [`From: mia@acme.example`, "To: agent@acme.example", `Message-ID: <m${count}@acme.example>`];
    await dovecot.deliver("agent", [trusted, ...head, `Subject: ${subject}`, "", text, ""].join("\n"));
  };
  const last = () => smtp.mails.at(-1);
  try {
    await installation.addAgent("mailer", WRITES, ASKING);
    const box = { host: "127.0.0.1", secure: false, user: "agent", password: MAILBOX_PASSWORD };
    const address = { address: "agent@acme.example", authservId: "mx.acme.example" };
    const servers = { imap: { ...box, port: dovecot.port }, smtp: { ...box, port: smtp.port } };
    const body = { kind: "email", name: "Acme agents", agentId: "mailer", ...address, ...servers };
    const { id } = await (await installation.call("POST", "/api/channels", body)).json();
    await page.goto("/automations/channels");
    const card = page.getByRole("article", { name: "Acme agents" });
    await card.getByRole("button", { name: "Test" }).click();
    await expect(card).toContainText("It is agent@acme.example");
    // The mailbox begins with what arrives from its first reading on.
    const read = async () => (await (await installation.call("GET", `/api/channels/${id}`)).json()).lastUpdateAt;
    await expect.poll(read, { timeout: 20_000 }).not.toBeNull();

    const mine = await openAs(await installation.addPerson("member", "Mia Mail"));
    await mine.goto("/settings/channels");
    await mine.getByRole("button", { name: "Link a chat in Acme agents" }).click();
    const steps = mine.getByRole("region", { name: "Connect Email" });
    await write((await steps.locator("code").textContent()) ?? "", "My code");
    await expect(steps.getByRole("status")).toHaveText("Linked: mia@acme.example, just now");

    await write("Hello", "The note");
    await expect.poll(() => last()?.text?.trim(), { timeout: 20_000 }).toBe("Hello from the agent.");
    expect(last()?.subject).toBe("Re: The note");
    await write("Write the note", "Another note");
    await expect.poll(() => last()?.text, { timeout: 20_000 }).toContain("Write this file?");
    const link = /https?:\/\/\S+\/inbox/.exec(last()?.text ?? "")?.[0] ?? "";
    await mine.goto(link);
    await mine
      .getByRole("button", { name: /^Allow once/ })
      .first()
      .click();
    await expect.poll(() => last()?.text?.trim(), { timeout: 20_000 }).toBe("Written after a decision.");
  } finally {
    await Promise.all([dovecot.close(), smtp.close()]);
  }
});
