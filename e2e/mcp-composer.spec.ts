import { composer, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of 400 .*\/mcp-resources/] });

test("A prompt and a resource of an MCP server are put into a message; the menu works while the server is away", async ({
  page,
  installation,
  mcp,
}) => {
  test.slow();
  mcp.resources.set("note://milk", { name: "Shopping", text: "Remember the milk." });
  mcp.resources.set("note://picture", { name: "Picture", blob: "AAAA", mimeType: "image/png" });
  await installation.addAgent("library-agent", [{ text: "Reviewed." }], { mcp_servers: ["library"] });
  const field = composer(page);
  const option = (name: RegExp) => page.getByRole("option", { name });

  await test.step("An administrator adds the server", async () => {
    await page.goto("/admin/tools?tab=mcp");
    await page.getByRole("button", { name: "Add server" }).click();
    const dialog = page.getByRole("dialog", { name: "Add an MCP server" });
    await dialog.getByRole("textbox", { name: "Id" }).fill("library");
    await dialog.getByRole("textbox", { name: "Address" }).fill(mcp.url);
    await dialog.getByRole("button", { name: "Add server" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("Nothing is asked of the server before a menu opens", async () => {
    mcp.methods.length = 0;
    await page.goto("/?agent=library-agent");
    await expect(field).toBeEnabled();
    await field.fill("Hello");
    expect(mcp.methods).toEqual([]);
  });

  await test.step("A prompt asks for its arguments and becomes the text of the message", async () => {
    await field.fill("/lib");
    await expect(option(/library:review/)).toContainText("Review a text");
    await field.press("Enter");
    const dialog = page.getByRole("dialog", { name: "library: review" });
    await expect(dialog.getByRole("button", { name: "Insert into the message" })).toBeDisabled();
    await dialog.getByRole("textbox", { name: "text" }).fill("my list");
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue("Review this: my list");
  });

  await test.step("A resource is put in as a marked block; a picture is refused in words", async () => {
    await field.fill("Review this: my list @pict");
    await option(/Picture/).click();
    await expect(page.getByText("Picture is not text but image/png.")).toBeVisible();
    await field.fill("Review this: my list @shop");
    await expect(option(/library:Shopping/)).toBeVisible();
    await field.press("Enter");
    await expect(field).toHaveValue(/^Review this: my list\n\n<mcp-resource server="library" uri="note:\/\/milk"/);
    await expect(field).toHaveValue(/Remember the milk\.\n<\/mcp-resource>\n$/);
    await field.press("Enter");
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    await expect(page.getByText("Remember the milk.").first()).toBeVisible();
  });

  await test.step("The menu and the form of the arguments are accessible", async () => {
    await checkAccessibility(page, "/?agent=library-agent", async () => {
      await field.fill("Read @");
      await expect(option(/library:Shopping/)).toBeVisible();
    });
    await checkAccessibility(page, "/?agent=library-agent", async () => {
      // What was typed before comes back with the page; text filled in by then would stand behind it.
      await expect(field).toHaveValue("Read @");
      await field.fill("/lib");
      await option(/library:review/).click();
      await expect(page.getByRole("dialog", { name: "library: review" })).toBeVisible();
    });
    await page.keyboard.press("Escape");
  });

  await test.step("While the server is away the menu says so and the commands stay", async () => {
    await mcp.close();
    try {
      await page.reload();
      await expect(field).toHaveValue("/lib");
      await field.fill("/");
      await expect(page.getByText(/The MCP server library did not answer/)).toBeVisible();
      await expect(option(/^\/stopall/)).toBeVisible();
      await field.fill("Read @");
      await expect(page.getByText(/The MCP server library did not answer/)).toBeVisible();
    } finally {
      await mcp.open();
    }
  });
});
