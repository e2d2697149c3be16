import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "@playwright/test";
import Connection from "better-sqlite3";
import { SMTPServer } from "smtp-server";
import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of 400/] });

let post: SMTPServer;
const mails: string[] = [];

test.beforeAll(async () => {
  post = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password }, _session, answer) =>
      password === "the right one" ? answer(null, { user: "ada" }) : answer(new Error("no such user")),
    onData(stream, _session, answer) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push(Buffer.concat(parts).toString());
        answer(null, "queued as 4711");
      });
    },
  });
  await new Promise<void>((resolve) => post.listen(0, "127.0.0.1", () => resolve()));
});
test.afterAll(() => new Promise<void>((resolve) => post.close(() => resolve())));
test.afterEach(async ({ installation }) => {
  const retention = { traces: "90d", agents: {} };
  const branding = { name: "Ringmaster", signInText: "" };
  await installation.call("PATCH", "/api/settings", {
    branding,
    retention,
    smtp: null,
    masking: { rules: [] },
    backup: { folder: null },
  });
});

const section = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Sections of the settings" }).getByRole("link", { name, exact: true }).click();
const saved = (page: Page) => expect(page.getByText("Saved. It holds from now on.").last()).toBeVisible();

test("settings hold at once: a name, a masking rule, a mail server that was wrong, a time", async ({
  page,
  browser,
  installation,
}) => {
  await test.step("the installation gets a name and a text, which a visitor reads", async () => {
    await page.goto("/admin/settings");
    await section(page, "Name and text");
    await page.getByLabel("Name", { exact: true }).fill("Acme agents");
    await page.getByLabel("Text on the sign-in page").fill("Ask Mara for an account.");
    await page.reload();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Acme agents");
    await page.keyboard.press("Control+s");
    await saved(page);
    await expect(page).toHaveTitle("Settings · Acme agents");
    const visitor = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
    await visitor.goto(`${installation.url}/sign-in`);
    await expect(visitor.getByText("Ask Mara for an account.")).toBeVisible();
    await expect(visitor).toHaveTitle("Sign in · Acme agents");
    await visitor.context().close();
  });

  await test.step("a masking rule is tried before it is saved; a bad one is told beside its field", async () => {
    await section(page, "Masking");
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Must not be empty.")).toHaveCount(2);
    await page.getByLabel("Name", { exact: true }).fill("phone");
    await page.getByLabel("Pattern").fill("555-(");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/missing closing \)/i)).toBeVisible();
    await page.getByLabel("Pattern").fill("555-(\\d+)");
    await page.getByLabel("Replacement").fill("555-…");
    await page.getByLabel("Try the rules on a text").fill("Call 555-0101 or 555-0102");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await expect(page.getByText("phone: 2 matches")).toBeVisible();
    await expect(page.getByText("Call 555-… or 555-…")).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
  });

  await test.step("the test of a mail server shows its own words, and an invitation goes by it", async () => {
    await section(page, "Mail");
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Port").fill(String((post.server.address() as AddressInfo).port));
    await page.getByRole("button", { name: /Security/ }).click();
    await page.getByRole("option", { name: /^None/ }).click();
    await page.getByRole("textbox", { name: "User", exact: true }).fill("ada");
    await page.getByLabel("Password").fill("a very wrong one");
    await page.getByLabel("Sender").fill("Acme <agents@example.org>");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByText(/refused user and password: 535.*no such user/)).toBeVisible();
    await page.getByLabel("Password").fill("the right one");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByText(/queued as 4711/)).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    await expect(page.getByPlaceholder("set; type to replace it")).toBeVisible();

    await page.goto("/admin/people");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByLabel("Email").fill("mailed@example.test");
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("button", { name: "Send by email" }).click();
    await expect(page.getByText("Sent to mailed@example.test.")).toBeVisible();
    expect(mails.at(-1)).toContain("Subject: Your invitation to Acme agents");
    await page.getByRole("button", { name: "Done" }).click();
  });

  await test.step("a time that is no time is told; another one is kept", async () => {
    await page.goto("/admin/settings/retention");
    const traces = page.getByLabel("Keep traces for");
    await traces.fill("soon");
    await page.keyboard.press("Control+s");
    await expect(page.getByText(/Write a time such as 90 days/)).toBeVisible();
    await traces.fill("60");
    await expect(page.getByRole("status").filter({ hasText: "1 change" })).toBeVisible();
    await page.keyboard.press("Control+s");
    await saved(page);
    await expect(traces).toHaveValue("60 days");
  });

  await test.step("a backup is kept in a folder, downloaded, and a restore of it is tried", async () => {
    await section(page, "Backup");
    await page.getByLabel("Folder on the server").fill(`${installation.dataDirectory}/kept`);
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    await page.getByRole("button", { name: "Back up now" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "ringmaster-" });
    await expect(row).toBeVisible({ timeout: 30_000 });
    await row.getByRole("button", { name: "Try a restore" }).click();
    await expect(page.getByText("This backup can be restored.")).toBeVisible({ timeout: 30_000 });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download a new one" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^ringmaster-.*\.tar\.gz$/);
    expect(await file.failure()).toBe(null);
  });

  await test.step("the audit log has what was changed, and no password", async () => {
    const log = await (await installation.call("GET", "/api/audit?target=settings:")).json();
    const targets = log.entries.map(({ target }: { target: string }) => target);
    expect(targets).toEqual(expect.arrayContaining(["settings:branding", "settings:masking", "settings:smtp"]));
    expect(JSON.stringify(log)).not.toContain("the right one");
  });
});

test("a shorter time is asked about once, with the count of what goes, and nothing goes without a yes", async ({
  page,
  installation,
}) => {
  await startThread(page, "default", "calculate 6 * 7");
  await whenDone(page);
  const { latestTraceId } = await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json();
  makeOlder(installation.dataDirectory, latestTraceId, 40);
  const kept = async () => (await (await installation.call("GET", "/api/settings")).json()).retention.traces;

  await page.goto("/admin/settings/retention");
  const traces = page.getByLabel("Keep traces for");
  await traces.fill("30 days");
  await expect(page.getByText("1 trace would go within the hour.")).toBeVisible();
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Keep it for a shorter time?" });
  await expect(dialog).toContainText("1 trace will be deleted within the hour. This can't be undone.");
  await expect(dialog).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(traces).toHaveValue("30 days");
  expect(await kept()).toBe("90d");
  await page.keyboard.press("Control+s");
  await dialog.getByRole("button", { name: "Save and delete them" }).click();
  await saved(page);
  expect(await kept()).toBe("30d");
});

/** As if the trace had begun `days` earlier. */
function makeOlder(dataDirectory: string, traceId: string, days: number): void {
  const database = new Connection(path.join(dataDirectory, "ringmaster.db"));
  const startedAt = new Date(Date.now() - days * 86_400_000).toISOString().replace("Z", "+00:00");
  database.prepare('update "trace" set "startedAt" = ? where "id" = ?').run(startedAt, traceId);
  database.close();
}

test("axe finds nothing on the settings", async ({ page }) => {
  test.setTimeout(240_000);
  for (const [path, text] of [
    ["retention", "Steps of runs"],
    ["backup", "Download a new one"],
    ["masking", "Try the rules on a text"],
    ["mail", "Send a test mail to"],
    ["sandbox", "bubblewrap works"],
    ["guard", "When a message reads like that"],
    ["log", "Level"],
    ["sharing", "Links work without signing in"],
    ["name", "Text on the sign-in page"],
    ["version", "Data directory"],
  ] as const) {
    await checkAccessibility(page, `/admin/settings/${path}`, () => expect(page.getByText(text).first()).toBeVisible());
  }
});
