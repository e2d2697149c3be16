import { lastReply, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A reply gets a thumb with a reason by keys alone, which stays and stands in its trace", async ({
  page,
  installation,
}) => {
  await installation.addAgent("judged", [{ text: "It is sorted." }]);
  await startThread(page, "judged", "Is it sorted?");
  await whenDone(page);
  const down = lastReply(page).getByRole("button", { name: "Bad reply" });
  await expect(down).toBeEnabled();
  await down.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Not true" })).toBeFocused();
  await page.keyboard.press("1");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "Incomplete" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Only the first half is.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(down).toBeFocused();
  await expect(lastReply(page).getByRole("button", { name: "Not true" })).toBeVisible();
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect(lastReply(page).getByRole("button", { name: "Bad reply" })).toHaveAttribute("aria-pressed", "true");
    await lastReply(page).getByRole("button", { name: "Not true" }).click();
    await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("Only the first half is.");
  });
  await lastReply(page).getByRole("link", { name: "Open trace" }).click();
  const thumbs = page.getByRole("list", { name: "Thumbs" });
  await expect(thumbs.getByRole("listitem")).toContainText("Bad replyNot true\nOnly the first half is.Ada Admin");
});

test.describe("without a network", () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test("A thumb that could not be stored says so, and is stored when it is sent again", async ({
    page,
    installation,
    context,
  }) => {
    await installation.addAgent("judged-offline", [{ text: "Yes." }]);
    await startThread(page, "judged-offline", "Is it?");
    await whenDone(page);
    const up = lastReply(page).getByRole("button", { name: "Good reply" });
    await expect(up).toBeEnabled();
    await context.setOffline(true);
    await up.click();
    await expect(lastReply(page).getByRole("alert")).toContainText("Thumb not stored.");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Send again" }).click();
    await expect(lastReply(page).getByRole("alert")).toBeHidden();
    await page.reload();
    await expect(up).toHaveAttribute("aria-pressed", "true");
    await up.click();
    await expect(up).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(up).toHaveAttribute("aria-pressed", "true");
  });
});
