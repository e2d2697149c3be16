import { send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const EDITOR = "/admin/agents/what-if-story?tab=tools";
const writing = (path: string) => ({ calls: [{ name: "write_file", args: { path, content: "text" } }] });

test("A rule is tried on the calls of 30 days before it is saved, and then published", async ({
  page,
  installation,
}) => {
  test.slow();
  const script = [writing("report.md"), { text: "Written." }, writing("secret.md"), { text: "Not written." }];
  const permissions = { enabled: true, mode: "default" };
  await installation.addAgent("what-if-story", script, { permissions });

  await test.step("A person allows one call and denies another", async () => {
    await startThread(page, "what-if-story", "Write the report");
    const card = page.getByRole("region", { name: /^Approval: write_file/ });
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await whenDone(page);
    await startThread(page, "what-if-story", "Write the secret");
    await card.getByRole("button", { name: "Deny" }).click();
    await card.getByRole("textbox").fill("not this file");
    await card.getByRole("button", { name: "Deny" }).click();
    await whenDone(page);
  });

  const tried = page.getByRole("region", { name: "What would these rules have done?" });
  await test.step("The rules as they are change nothing", async () => {
    await page.goto(EDITOR);
    await expect(tried.getByRole("status")).toHaveText("Nothing would have been different.");
  });

  await test.step("A rule that allows both is told by what a person had denied", async () => {
    await page.locator("#field-permissions-allow").click();
    await page.getByLabel("Allow 1, tool").fill("write_file");
    await expect(tried.getByRole("status")).toHaveText(
      "Of 2 calls in 30 days: 2 prompts fewer, 1 newly allowed that a person had denied.",
    );
    await tried.getByRole("button", { name: "Details" }).click();
    await expect(tried.getByText("“not this file”")).toBeVisible();
  });

  await test.step("A draft that is opened again says the same, on a phone and in the dark too", async () => {
    await expect(page.getByText(/^saved/)).toBeVisible();
    await checkAccessibility(page, EDITOR, async () => {
      await tried.getByRole("button", { name: "Details" }).click();
      await expect(tried.getByText("1 a person had denied")).toBeVisible();
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  await test.step("Asking before that one leaves one prompt saved", async () => {
    await tried.getByRole("button", { name: "Ask before these" }).click();
    await expect(page.getByLabel("Ask 1, pattern")).toHaveValue("secret.md");
    await expect(tried.getByRole("status")).toHaveText("Of 2 calls in 30 days: 1 prompt fewer.");
  });

  await test.step("It is published, and the next report is not asked about", async () => {
    await page.getByRole("button", { name: /^Publish v2/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Publish/ }).click();
    await expect(page.getByText("v2 is live").first()).toBeVisible();
    const { config } = await (await installation.call("GET", "/api/agents/what-if-story")).json();
    expect(config.permissions).toMatchObject({
      allow: ["write_file"],
      ask: [{ tool: "write_file", args: { path: "secret.md" } }],
    });
  });
});

test("What a person allowed five times is proposed as a rule, and accepted into the draft", async ({
  page,
  installation,
}) => {
  const permissions = { enabled: true, mode: "default" };
  const script = Array.from({ length: 5 }, () => [writing("notes.md"), { text: "Written." }]).flat();
  await installation.addAgent("proposing", script, { permissions });
  await startThread(page, "proposing", "Write 1");
  for (const number of [1, 2, 3, 4, 5]) {
    if (number > 1) await send(page, `Write ${number}`);
    const card = page.getByRole("region", { name: /^Approval: write_file/ });
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await whenDone(page);
  }
  const editor = "/admin/agents/proposing?tab=tools";
  const proposed = page.getByRole("region", { name: "Proposed grants" });
  await checkAccessibility(page, editor, () => expect(proposed).toContainText("path: notes.md"));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await expect(proposed).toContainText("5 times since");
  await expect(proposed).toContainText("only by Ada Admin · 5 prompts fewer");
  await proposed.getByRole("button", { name: "Accept write_file path: notes.md" }).press("Enter");
  await expect(page.getByLabel("Allow 1, pattern")).toHaveValue("notes.md");
  await expect(proposed).toBeHidden();
  const tried = page.getByRole("region", { name: "What would these rules have done?" });
  await expect(tried.getByRole("status")).toHaveText("Of 5 calls in 30 days: 5 prompts fewer.");
  await expect(page.getByText(/^saved/)).toBeVisible();
});
