import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("The list of runs: looked into, held still, with the columns that one chooses", async ({ page, installation }) => {
  await installation.addAgent("browsed", [
    { text: "The first answer." },
    { text: "The second answer." },
    { text: "The third answer." },
  ]);
  await startThread(page, "browsed", "Ask one.");
  await whenDone(page);
  await startThread(page, "browsed", "Ask two.");
  await whenDone(page);
  await page.goto("/traces?agent=browsed");
  const row = (name: string) => page.getByRole("link", { name, exact: true });
  const peek = page.getByRole("complementary", { name: "Run", exact: true });

  await test.step("Space opens a run beside the list, which follows j and k until Escape closes it", async () => {
    await expect(row("Ask two.")).toBeVisible();
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await expect(peek.getByText("The second answer.")).toBeVisible();
    await page.keyboard.press("j");
    await expect(peek.getByText("The first answer.")).toBeVisible();
    await expect(row("Ask one.")).toBeFocused();
    await page.reload();
    await expect(peek.getByText("The first answer.")).toBeVisible();
    await peek.getByRole("button", { name: "Run above" }).click();
    await expect(peek.getByText("The second answer.")).toBeVisible();
    const { pathname, search } = new URL(page.url());
    await checkAccessibility(page, `${pathname}${search}`, async () => {
      await expect(peek.getByText("The second answer.").or(row("Ask two.")).first()).toBeVisible();
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await row("Ask two.").focus();
    await page.keyboard.press("Escape");
    await expect(peek).toBeHidden();
    await expect(page).not.toHaveURL(/peek=/);
  });

  await test.step("A chosen column is kept by the browser and stands in the address", async () => {
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Origin" }).press(" ");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("columnheader", { name: "Origin" })).toBeVisible();
    await expect(page).toHaveURL(/[?&]columns=[^&]*origin/);
    await page.goto("/traces?agent=browsed");
    await page.getByRole("button", { name: /^Origin/ }).click();
    await expect(page.getByRole("columnheader", { name: "Origin" })).toHaveAttribute("aria-sort", "ascending");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("button", { name: "Show what fits" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("columnheader", { name: "Origin" })).toBeHidden();
  });

  await test.step("A view is saved under a name, and leads back to what it shows", async () => {
    await page.goto("/traces?agent=browsed&sort=cost");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Dearest browsed");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    const view = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Dearest browsed" });
    await expect(view).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("button", { name: "Save view" })).toBeHidden();
    await page.getByRole("link", { name: "All runs" }).click();
    await expect(page).not.toHaveURL(/agent=/);
    await view.click();
    await expect(page).toHaveURL(/agent=browsed&sort=cost/);
    await page.getByRole("button", { name: "Change Dearest browsed" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(view).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(view).toBeVisible();
  });

  await test.step("Not live, the rows stay until the newer ones are asked for", async () => {
    await page.goto("/traces?agent=browsed");
    await expect(row("Ask two.")).toBeVisible();
    await page.getByRole("switch", { name: "Live" }).press(" ");
    await expect(page).toHaveURL(/live=false/);
    await expect(row("Ask two.")).toBeVisible();
    const { id: threadId } = await (await installation.call("POST", "/api/threads", { agentId: "browsed" })).json();
    await installation.call("POST", `/api/threads/${threadId}/messages`, { content: "Ask three." });
    await expect(page.getByText("1 newer run")).toBeVisible();
    await expect(row("Ask three.")).toBeHidden();
    await page.getByRole("button", { name: "Show them" }).click();
    await expect(row("Ask three.")).toBeVisible();
    await expect(page.getByText("1 newer run")).toBeHidden();
  });
});
