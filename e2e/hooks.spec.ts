import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const REDACT = `import { defineHook, z } from "ringmaster";

export default defineHook({
  name: "hide-tickets",
  description: "Hides ticket numbers.",
  config: z.object({ replace_by: z.string().min(2).default("[ticket]") }),
  create: ({ replace_by }) => ({
    modifyRequest(request) {
      const messages = request.messages.map((message) => ({
        ...message,
        content: message.content.replace(/SUP-[0-9]+/g, replace_by),
      }));
      return { ...request, messages };
    },
  }),
});
`;

test("Hooks are ordered by keys and by mouse, switched, set and tried, and the comment in the YAML stays", async ({
  page,
  installation,
}) => {
  test.slow();
  const folder = path.join(installation.dataDirectory, "extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "hide-tickets.ts"), REDACT);
  await installation.call("POST", "/api/extensions/reload");
  await installation.addAgent("hook-story", [{ text: "Done." }]);
  const yaml = [
    "name: Hook story # kept",
    "model: scripted:hook-story",
    "backend: {type: state}",
    "hooks:",
    "  - tracing",
    "  # lists first",
    "  - todolist",
    "  - filesystem",
    "  - hide-tickets",
    "",
  ].join("\n");
  await installation.call("PUT", "/api/agents/hook-story/draft", { yaml, revision: 0 });
  const draft = async (): Promise<string> =>
    (await (await installation.call("GET", "/api/agents/hook-story/draft")).json()).yaml;
  const row = (name: string) => page.locator(`[data-hook="${name}"]`);

  const address = "/admin/agents/hook-story?tab=hooks";
  await checkAccessibility(page, address, () => expect(row("hide-tickets")).toContainText("Hides ticket numbers."));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });

  await test.step("A move that the engine forbids goes back and says why", async () => {
    await row("todolist").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await expect(page.getByText("tracing stays first: it must see every call.")).toBeVisible();
  });

  await test.step("A move that it takes reaches the text, whose comment goes along", async () => {
    await row("hide-tickets").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(draft).toMatch(/- hide-tickets\s+- filesystem/u);
    expect(await draft()).toContain("# kept");
    expect(await draft()).toContain("# lists first");
  });

  await test.step("Dragged by its handle, a line shows where it lands and the numbers change on the way", async () => {
    const handle = row("hide-tickets").getByTitle("Drag hide-tickets");
    const below = await row("filesystem").boundingBox();
    if (below === null) throw new Error("filesystem has no place on the page");
    await handle.hover();
    await page.mouse.down();
    await page.mouse.move(below.x + 20, below.y + below.height - 3, { steps: 5 });
    await expect(row("filesystem")).toHaveClass(/border-b-foreground/);
    await expect(row("hide-tickets")).toContainText(/^5/);
    expect(await draft(), "nothing is written before it is dropped").toMatch(/- hide-tickets\s+- filesystem/u);
    await page.mouse.up();
    await expect.poll(draft).toMatch(/- filesystem\s+- hide-tickets/u);
    expect(await draft()).toContain("# lists first");
  });

  await test.step("Dropped where the engine forbids it, it goes back and says why", async () => {
    const top = await row("tracing").boundingBox();
    if (top === null) throw new Error("tracing has no place on the page");
    await row("filesystem").getByTitle("Drag filesystem").hover();
    await page.mouse.down();
    await page.mouse.move(top.x + 20, top.y + 3, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByText("tracing stays first: it must see every call.")).toBeVisible();
    expect(await draft()).toMatch(/- tracing\s/u);
    await expect(page.getByText(/^Draft r\d+$/).first()).toBeVisible();
  });

  await test.step("Space switches", async () => {
    await row("filesystem").focus();
    await page.keyboard.press("Space");
    await expect.poll(draft).toMatch(/name: filesystem\s+enabled: false/u);
    await page.keyboard.press("Space");
    await expect.poll(draft).not.toContain("enabled: false");
  });

  await test.step("Enter opens the settings; what is wrong stands beside the field", async () => {
    await row("hide-tickets").focus();
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Replace by");
    await field.fill("x");
    await expect(page.locator("#hook-hide-tickets-replace_by-problem")).toBeVisible();
    await field.fill("***");
    await expect.poll(draft).toContain("***");
    await expect(page.locator("#hook-hide-tickets-replace_by-problem")).toBeHidden();
  });

  await test.step("T tries it on pasted messages, with the draft's settings", async () => {
    await row("hide-tickets").focus();
    await page.keyboard.press("t");
    await page.getByLabel("One message, or JSON with several").fill("See SUP-48213 today");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await expect(page.getByText("See *** today")).toBeVisible();
    await expect(page.getByText(/Passes on, 1 of 1 messages changed/)).toBeVisible();
    await page.getByLabel("One message, or JSON with several").fill("Hello");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await expect(page.getByText(/Passes on, nothing changed\./)).toBeVisible();
    await expect(page.getByText("Only this hook ran: no model, no tool, nothing stored.")).toBeVisible();
  });

  await test.step("The request of a real step can be tried", async () => {
    const body = { messages: [{ role: "user", content: "Look at SUP-7" }] };
    await installation.call("POST", "/agents/hook-story/invoke", body);
    await page.reload();
    await row("hide-tickets").focus();
    await page.keyboard.press("t");
    await page.getByRole("button", { name: /Messages that you paste.*Sample/ }).click();
    await page.getByRole("option").nth(1).click();
    await expect(page.getByRole("button", { name: /Step 1/ })).toBeVisible();
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await expect(page.getByText("Look at ***")).toBeVisible();
  });
});
