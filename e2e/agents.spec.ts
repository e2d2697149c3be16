import { lastReply, startThread, whenDone } from "./support/chat";
import { showYaml } from "./support/editor";
import { expect, test } from "./support/journey";

const CONFIG = { tools: ["calculate"], description: "For the editor's story" };

test("The editor names a wrong field with its line, completes keys, and publishes what the next run uses", async ({
  page,
  installation,
  provider,
}) => {
  await installation.addAgent(
    "edited",
    [({ messages = [] }) => ({ text: `The prompt: ${systemText(messages)}` })],
    CONFIG,
  );
  await page.goto("/admin/agents/edited");
  const editor = page.getByRole("textbox", { name: "edited.yaml, YAML" });
  await showYaml(page);
  await editor.click();
  await page.keyboard.press("Control+End");

  await test.step("An unknown field is shown in place, with the nearest name", async () => {
    await page.keyboard.type("\nsystem_promt: Be brief.");
    const problem = page
      .getByRole("list", { name: "Problems" })
      .getByRole("listitem")
      .filter({ hasText: "system_promt" });
    await expect(problem).toContainText(/Line \d+/);
    await expect(problem).toContainText("system_prompt");
    await expect(page.getByRole("button", { name: "Publish v2" })).toBeDisabled();
  });

  await test.step("Keys complete from the schema", async () => {
    for (const _ of "system_promt: Be brief.") await page.keyboard.press("Backspace");
    await page.keyboard.type("system_pro");
    await page.keyboard.press("Control+Space");
    const option = page.getByRole("option", { name: /system_prompt/ }).first();
    // The editor takes no choice from a list that has only just opened or changed.
    await expect(async () => {
      await option.click({ timeout: 1_000 });
      await expect(editor).toContainText("system_prompt", { timeout: 1_000 });
    }).toPass();
    await page.keyboard.type(" Answer as an otter.");
    await expect(page.getByText("valid", { exact: true })).toBeVisible();
  });

  await test.step("Publishing makes version 2", async () => {
    await page.getByRole("button", { name: "Publish v2" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish v2 of edited" });
    await expect(dialog.getByRole("listitem")).toContainText("Prompt");
    await dialog.getByLabel(/^Note/).fill("Otters");
    await dialog.getByRole("button", { name: "Publish v2" }).click();
    await expect(page.getByText("v2 is live", { exact: true })).toBeVisible();
    await page.getByRole("tab", { name: "Versions" }).click();
    await expect(
      page.getByRole("complementary", { name: "Versions" }).getByRole("button", { name: /v2\s*live/ }),
    ).toContainText("Otters");
  });

  await startThread(page, "edited", "Who are you?");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("Answer as an otter.");
  expect(provider.countRequests("edited")).toBe(1);
});

test("Deleting an agent asks first; its threads stay readable", async ({ page, installation }) => {
  await installation.addAgent("short-lived", [{ text: "Gone soon." }]);
  await startThread(page, "short-lived", "Hello");
  await whenDone(page);
  const thread = page.url();

  await page.goto("/admin/agents/short-lived");
  const remove = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  await remove();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/short-lived$/);
  await remove();
  await page.getByRole("button", { name: "Delete agent" }).click();
  await expect(page).toHaveURL(/\/admin\/agents$/);
  await expect(page.getByRole("link", { name: "short-lived" })).toBeHidden();

  await page.goto(thread);
  await expect(page.getByText("Gone soon.")).toBeVisible();
  await expect(page.getByText("The agent of this thread was deleted or is no longer available to you.")).toBeVisible();
});

function systemText(messages: readonly { readonly role: string; readonly content?: unknown }[]): string {
  const texts = messages.filter(({ role }) => role === "system" || role === "developer");
  return texts.map(({ content }) => JSON.stringify(content)).join(" ");
}

test("t on an agent of the list opens its test chat, ready to type", async ({ page, installation }) => {
  await installation.addAgent("tried-with-t", [{ text: "Tried." }], CONFIG);
  await page.goto("/admin/agents");
  await page
    .getByRole("row", { name: /tried-with-t/ })
    .locator("[data-agent]")
    .focus();
  await page.keyboard.press("t");
  const chat = page.getByRole("complementary", { name: "Test chat" });
  await expect(chat.getByRole("textbox")).toBeFocused();
  await expect(page).toHaveURL(/\/admin\/agents\/tried-with-t$/);
});
