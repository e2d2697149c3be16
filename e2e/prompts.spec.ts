import { composer, lastReply, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

// A name that can't be one is refused by the server, beside its field.
test.use({ expectedErrors: [/status of 400/] });

test("A prompt with variables is written, used from the slash menu, and deleted with Undo, by keys alone", async ({
  page,
  installation,
}) => {
  await installation.addAgent("prompted", [{ text: "Reviewed." }]);
  await page.goto("/prompts");
  await expect(page.getByRole("heading", { name: "Prompts", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: /^New prompt/ })).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New prompt" });
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("Two Words");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/lowercase letters and digits/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("daily-review");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Look for faults");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Review {{file}} for {{kind=bugs}}.");
  await expect(dialog.getByText("Asks for: file, kind")).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await expect(dialog).toBeHidden();
  const row = page.getByRole("button", { name: /daily-review/ });
  await expect(row).toContainText("2 variables");
  await checkAccessibility(page, "/prompts", async () => expect(row).toBeVisible());
  await checkAccessibility(page, "/prompts", async () => {
    await row.click();
    await expect(page.getByRole("dialog", { name: "Edit prompt" })).toBeVisible();
  });
  await checkAccessibility(page, "/?agent=prompted", async () => {
    await composer(page).fill("/daily");
    await page.getByRole("option", { name: /^\/daily-review/ }).click();
    await expect(page.getByRole("dialog", { name: "daily-review" })).toBeVisible();
  });
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto("/?agent=prompted");
  await composer(page).fill("/daily");
  await expect(page.getByRole("option", { name: /^\/daily-review/ })).toBeVisible();
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "daily-review" });
  await expect(form.getByRole("textbox", { name: "file" })).toBeFocused();
  await page.keyboard.type("a.ts");
  await expect(form.getByRole("group", { name: "The message" })).toHaveText("Review a.ts for bugs.");
  await page.keyboard.press("Enter");
  await expect(composer(page)).toHaveValue("Review a.ts for bugs.");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("Reviewed.");

  await page.goto("/prompts");
  await expect(row).toBeVisible();
  await page.keyboard.press("j");
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(row).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row).toBeVisible();
});

test("What an administrator shares is in everybody's menu, and only administrators change it", async ({
  page,
  installation,
  openAs,
}) => {
  await page.goto("/prompts");
  await page.getByRole("button", { name: /^New prompt/ }).click();
  const dialog = page.getByRole("dialog", { name: "New prompt" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("shared-standup");
  await dialog.getByRole("textbox", { name: "Text" }).fill("What did I do yesterday?");
  await dialog.getByText("For everybody").click();
  await dialog.getByRole("switch", { name: "For everybody" }).press("Space");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /shared-standup/ })).toContainText("shared");

  const other = await openAs(await installation.addPerson("member", "Mia Prompts"));
  await other.goto("/prompts");
  await expect(other.getByText("/shared-standup")).toBeVisible();
  await expect(other.getByRole("button", { name: /shared-standup/ })).toHaveCount(0);
  await other.goto("/");
  await composer(other).fill("/shared");
  await other.getByRole("option", { name: /^\/shared-standup/ }).click();
  await expect(composer(other)).toHaveValue("What did I do yesterday?");
});
