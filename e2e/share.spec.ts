import { startThread, threadRow, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of 404/] });

test("A thread is shared with a link, opened by others, and revoked", async ({
  page,
  installation,
  openAs,
  browser,
}) => {
  await installation.addAgent("sharer", [
    { reasoning: "A quiet thought.", calls: [{ name: "write_file", args: { path: "notes.md", content: "For me." } }] },
    { text: "The notes are **written**." },
  ]);
  await startThread(page, "sharer", "Write the notes of the share");
  await whenDone(page);
  const reader = await installation.addPerson("viewer", "Rita Reader");

  const openDialog = async () => {
    const row = threadRow(page, "Write the notes of the share");
    await row.hover();
    await row.getByRole("button", { name: "Thread actions" }).click();
    await page.getByRole("menuitem", { name: "Share", exact: true }).click();
    const opened = page.getByRole("dialog", { name: "Share thread" });
    await expect(opened).toBeVisible();
    return opened;
  };
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect((await openDialog()).getByRole("button", { name: "Create link" })).toBeVisible();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await expect(
    threadRow(page, "Write the notes of the share").getByRole("button", { name: "Thread actions" }),
  ).toBeFocused();

  const makeLink = async (tick: readonly string[]) => {
    const dialog = await openDialog();
    const renew = dialog.getByRole("button", { name: "New link" });
    const create = dialog.getByRole("button", { name: "Create link" });
    await expect(renew.or(create)).toBeVisible();
    if (await renew.isVisible()) await renew.click();
    for (const name of tick) await dialog.getByText(name, { exact: true }).click();
    await create.click();
    const link = dialog.getByRole("link", { name: /\/share\// });
    await expect(link).toBeVisible();
    return { dialog, url: (await link.getAttribute("href")) ?? "" };
  };

  const { url } = await makeLink([]);
  const path = new URL(url).pathname;
  const reading = await openAs(reader);

  await test.step("A signed-in person reads texts and names of tools, and can change nothing", async () => {
    const reply = await reading.goto(path);
    const headers = reply?.headers() ?? {};
    expect(headers["cache-control"]).toContain("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-robots-tag"]).toContain("noindex");
    await expect(reading.getByText("The notes are written.")).toBeVisible();
    await reading.getByRole("button", { name: /write_file/ }).click();
    await expect(reading.getByText("Its arguments and results are not shared.")).toBeVisible();
    await expect(reading.getByText("For me.")).toBeHidden();
    await expect(reading.getByRole("textbox")).toHaveCount(0);
    await expect(reading.getByRole("link", { name: "Open trace" })).toHaveCount(0);
    for (const name of [/Edit/, /Regenerate/, /Fork/, /Retry/, /Send/]) {
      await expect(reading.getByRole("button", { name })).toHaveCount(0);
    }
    expect(await reading.content()).not.toContain("quiet thought");
    await checkAccessibility(reading, path, () => expect(reading.getByText("The notes are written.")).toBeVisible());
  });

  await test.step("A visitor is asked to sign in until links are made public", async () => {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, baseURL: installation.url });
    const stranger = await context.newPage();
    await stranger.goto(path);
    await expect(stranger).toHaveURL(/\/sign-in\?next=/);
    await installation.call("PATCH", "/api/settings", { publicShares: true });
    await stranger.goto(path);
    await expect(stranger.getByText("The notes are written.")).toBeVisible();
    await installation.call("PATCH", "/api/settings", { publicShares: false });
    await context.close();
  });

  await test.step("A new link shows what is ticked, and the old one stops working", async () => {
    await page.keyboard.press("Escape");
    const next = await makeLink(["Arguments of tool calls", "Reasoning"]);
    expect((await reading.goto(path))?.status()).toBe(404);
    await expect(reading.getByText("Nothing is shared here")).toBeVisible();
    await reading.goto(new URL(next.url).pathname);
    await expect(reading.getByText("A quiet thought.").first()).toBeVisible();
    await reading.getByRole("button", { name: /write_file/ }).click();
    await expect(reading.getByText("For me.").first()).toBeVisible();
    await next.dialog.getByRole("button", { name: "Revoke" }).click();
    await expect(next.dialog.getByRole("button", { name: "Create link" })).toBeVisible();
    expect((await reading.goto(new URL(next.url).pathname))?.status()).toBe(404);
  });
});
