import type { Locator, Page } from "@playwright/test";
import { lastReply } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { showYaml } from "./support/editor";
import { expect, test } from "./support/journey";

const systemText = (messages: readonly { readonly role: string; readonly content?: unknown }[]) =>
  messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content }) => JSON.stringify(content))
    .join(" ");

function yaml(page: Page): Locator {
  return page.getByRole("textbox", { name: /YAML$/ });
}

function field(page: Page, label: string): Locator {
  return page.getByRole("region", { name: "Form" }).getByLabel(label, { exact: true });
}

test("An agent from a template is changed as text and form, tried, published and restored", async ({
  page,
  installation,
  provider,
}) => {
  test.slow();
  provider.script("editor-story", [({ messages = [] }) => ({ text: `The prompt: ${systemText(messages)}` })]);
  await page.goto("/admin/agents");

  await test.step("It begins with the fields of a template, as a draft that people do not see", async () => {
    const templates = page.getByRole("region", { name: "Start from a template" });
    await templates.getByRole("link", { name: "Assistant", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Assistant");
    await page.getByRole("textbox", { name: "Name" }).fill("Editor story");
    await expect(page.getByText("Id: editor-story")).toBeVisible();
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.waitForURL(/\/admin\/agents\/editor-story/);
    await expect(page.getByText("Draft: administrators only")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish v1" })).toBeEnabled();
    const known = await (await page.request.get("/agents")).json();
    expect(known.agents.map(({ id }: { id: string }) => id)).not.toContain("editor-story");
  });

  await test.step("Its first message is answered before anything is published", async () => {
    await page.getByRole("link", { name: "All settings" }).click();
    await showYaml(page);
    await field(page, "Model").fill("scripted:editor-story");
    await field(page, "Model").press("Tab");
    await page.getByRole("link", { name: "Fewer settings" }).click();
    await expect(page.getByRole("switch", { name: /^Files/ })).toBeChecked();
    const chat = page.getByRole("complementary", { name: "Test chat" });
    await chat.getByRole("textbox", { name: "Message" }).fill("Who are you?");
    await chat.getByRole("textbox", { name: "Message" }).press("Enter");
    await expect(lastReply(page)).toContainText("You are a capable assistant.");
  });

  await test.step("Publish is the last step", async () => {
    await page.getByRole("button", { name: "Publish v1" }).click();
    await expect(page.getByText("v1 is live", { exact: true })).toBeVisible();
    await expect(field(page, "Name")).toHaveValue("Editor story");
    const known = await (await page.request.get("/agents")).json();
    expect(known.agents.map(({ id }: { id: string }) => id)).toContain("editor-story");
  });

  await test.step("A comment and a field of the text reach the form", async () => {
    await yaml(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText("# Ask Mara before this grows.\nmax_iterations: 12\n");
    await page.getByRole("tab", { name: /^Advanced/ }).click();
    await page.getByRole("radio", { name: "Limits" }).check({ force: true });
    await expect(field(page, "Max steps")).toHaveValue("12");
  });

  await test.step("A change of the form leaves the comment where it is", async () => {
    await field(page, "Max steps").fill("14");
    await expect(yaml(page)).toContainText("max_iterations: 14");
    await page.getByRole("tab", { name: /^Basics/ }).click();
    await field(page, "Prompt").fill("Answer as an otter.");
    await expect(yaml(page)).toContainText("# Ask Mara before this grows.");
    await expect(page.getByText(/^Draft r\d+$/).first()).toBeVisible();
    await expect(page.getByText(/^saved/)).toBeVisible();
  });

  await test.step("A text that can't be read makes the form wait, with the line", async () => {
    await yaml(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\ntools: [");
    await expect(page.getByText(/The form is paused: line \d+/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish v2" })).toBeDisabled();
    for (const _ of "\ntools: [") await page.keyboard.press("Backspace");
    await expect(page.getByText("valid", { exact: true })).toBeVisible();
  });

  await test.step("The test chat runs the draft and says so", async () => {
    const chat = page.getByRole("complementary", { name: "Test chat" });
    await expect(chat.getByText(/^runs draft r\d+$/)).toBeVisible();
    await chat.getByRole("textbox", { name: "Message" }).fill("Who are you?");
    await chat.getByRole("textbox", { name: "Message" }).press("Enter");
    await expect(lastReply(page)).toContainText("Answer as an otter.");
    await expect(lastReply(page)).toContainText(/draft r\d+/);
    const { threads } = await (await page.request.get("/api/threads?agentId=editor-story")).json();
    expect(threads).toEqual([]);
  });

  await test.step("Publishing says what changes for people", async () => {
    await page.getByRole("button", { name: "Publish v2" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish v2 of editor-story" });
    await expect(dialog.getByRole("listitem").filter({ hasText: "Max steps" })).toContainText("14");
    await dialog.getByLabel(/^Note/).fill("Otters");
    await dialog.getByRole("button", { name: "Publish v2" }).click();
    await expect(page.getByText("v2 is live", { exact: true })).toBeVisible();
    const { yaml: text } = await (await installation.call("GET", "/api/agents/editor-story")).json();
    expect(text).toMatch(/^# Ask Mara before this grows\.\nmax_iterations: 14\n/);
  });

  await test.step("The first version is compared and restored into the draft", async () => {
    await page.getByRole("tab", { name: "Versions" }).click();
    const versions = page.getByRole("complementary", { name: "Versions" });
    await expect(versions.getByRole("button", { name: /v2/ })).toContainText("Otters");
    await expect(page.getByRole("row", { name: /max_iterations/ })).toContainText("14");
    await page.getByRole("button", { name: "Restore v1 into the draft" }).click();
    await expect(page.getByText("v1 is in the draft")).toBeVisible();
    await page.getByRole("tab", { name: /^Basics/ }).click();
    await expect(yaml(page)).not.toContainText("Ask Mara");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(yaml(page)).toContainText("Ask Mara");
  });
});

test.describe("Two people", () => {
  test.use({ expectedErrors: [/status of 409/] });

  test("Two admins edit a draft at once: separate changes are merged, overlapping ones are decided", async ({
    page,
    installation,
    openAs,
  }) => {
    test.slow();
    await installation.addAgent("shared-draft", [{ text: "hi" }], { max_iterations: 20, description: "Ours" });
    const other = await openAs(await installation.addPerson("admin", "Jonas Other"));
    for (const view of [page, other]) {
      await view.goto("/admin/agents/shared-draft?tab=limits");
      await expect(field(view, "Max steps")).toHaveValue("20");
    }
    await field(page, "Max steps").fill("25");
    await expect(page.getByText(/^saved/)).toBeVisible();

    await field(other, "Retries").fill("4");
    await field(other, "Max steps").fill("30");
    const strip = other.getByRole("status").filter({ hasText: "while you were typing" });
    await expect(strip).toContainText("1 field differs: Max steps, 30 and 25.");
    await expect(other.getByRole("button", { name: "Publish v2" })).toBeDisabled();
    await other.getByRole("button", { name: "Take theirs" }).click();
    await expect(strip).toBeHidden();
    await expect(field(other, "Max steps")).toHaveValue("25");
    await expect(other.getByText(/^saved/)).toBeVisible();

    await expect(field(page, "Retries")).toHaveValue("4");
    const draft = await (await installation.call("GET", "/api/agents/shared-draft/draft")).json();
    expect(draft.config).toMatchObject({ max_iterations: 25, retries: 4, description: "Ours" });
  });
});

test("A rule with two arguments is written in the form and tried there", async ({ page, installation }) => {
  const permissions = { enabled: true, deny: [{ tool: "write_file", args: { path: "/etc/*" } }] };
  await installation.addAgent("ruled-agent", [], { permissions });
  await page.goto("/admin/agents/ruled-agent");
  await page.getByRole("tab", { name: /^Tools/ }).click();
  await page.getByRole("button", { name: "Add an argument to Deny 1" }).click();
  await field(page, "Deny 1, 2, argument").fill("content");
  await field(page, "Deny 1, 2, pattern").fill("*secret*");
  await showYaml(page);
  await expect(yaml(page)).toContainText("content:");
  await page.getByRole("region", { name: "Form" }).getByRole("button", { name: "Try a call" }).click();
  const dialog = page.getByRole("dialog", { name: "Try a call" });
  await dialog.getByRole("textbox", { name: "Tool" }).fill("write_file");
  await dialog.getByRole("textbox", { name: "Arguments as JSON" }).fill('{"path":"/etc/hosts","content":"a secret"}');
  await dialog.getByRole("button", { name: "Check the rules" }).click();
  await expect(dialog.getByRole("region", { name: "Verdict" })).toContainText("content");
});

test("The editor, its versions and its dialogs are accessible", async ({ page, installation }) => {
  test.slow();
  const permissions = { enabled: true, ask: [{ tool: "execute", args: { command: "npm publish*" } }] };
  await installation.addAgent("editor-looks", [{ text: "hi" }], { permissions, fallback_models: ["demo:demo"] });
  await checkAccessibility(page, "/admin/agents/editor-looks?tab=tools", () =>
    expect(page.getByRole("button", { name: "Add a rule" }).first()).toBeVisible(),
  );
  const { yaml: text } = await (await installation.call("GET", "/api/agents/editor-looks")).json();
  const changed = `${text}system_prompt: Be brief.\n`.replace("enabled: true", "enabled: false");
  await installation.call("PUT", "/api/agents/editor-looks/draft", { yaml: changed, revision: 0 });
  await checkAccessibility(page, "/admin/agents/editor-looks", () => expect(field(page, "Model")).toBeVisible());
  await checkAccessibility(page, "/admin/agents/editor-looks?tab=versions", () =>
    expect(page.getByRole("row", { name: /permissions.enabled/ })).toBeVisible(),
  );
  await checkAccessibility(page, "/admin/agents/editor-looks", async () => {
    await page.getByRole("button", { name: "Publish v2" }).click();
    await expect(page.getByText("no call is checked any more")).toBeVisible();
  });
});
