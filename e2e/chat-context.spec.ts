import { AxeBuilder } from "@axe-core/playwright";
import { composer, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const CONFIG = {
  context_window: 4_000,
  system_prompt: "Be brief and exact.",
  tools: ["calculate"],
  compaction: { enabled: true, keep_last: 1 },
};

test("A person sees how full the window is, reads the prompt, summarises, and it costs one request after each run", async ({
  page,
  installation,
}) => {
  test.slow();
  await installation.addAgent(
    "full-window",
    [{ text: "ok" }, { text: "yes" }, { text: "A short story so far." }],
    CONFIG,
  );
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/\/api\/threads\/[^/]+\/context/.test(request.url())) asked.push(request.url());
  });
  const ring = page.getByRole("button", { name: /^Context: / });
  const section = page.getByRole("region", { name: "Context" });
  const meter = section.getByRole("meter", { name: "Context" });

  await test.step("The ring in the composer says it in words and opens the section", async () => {
    await startThread(page, "full-window", "a".repeat(4_000));
    await whenDone(page);
    await expect(ring).toHaveAccessibleName(/\d\d% of 4k$/);
    await ring.press("Enter");
    await expect(section).toBeFocused();
    // The page itself stays where it is.
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
    await expect(meter).toHaveAttribute("aria-valuetext", /of 4,000 tokens, \d\d%$/);
    await expect(section.getByText("Messages", { exact: true })).toBeVisible();
    await expect(section).toContainText("At 75% a summary replaces older messages");
  });

  await test.step("Another run asks once more, and the ring follows", async () => {
    const before = asked.length;
    const wordsBefore = await ring.innerText();
    await send(page, "b".repeat(2_000));
    await whenDone(page);
    await expect(ring).not.toHaveText(wordsBefore);
    await page.waitForLoadState("load");
    expect(asked.length - before).toBe(1);
  });

  await test.step("What the model sees now is the prompt, by part and whole", async () => {
    await section.getByRole("button", { name: "What the model sees now" }).click();
    const dialog = page.getByRole("dialog", { name: "What the model sees now" });
    await expect(dialog.getByRole("region", { name: "Part", exact: true })).toContainText("Be brief and exact.");
    await dialog.getByRole("button", { name: /^Tool schemas/ }).click();
    await dialog.getByRole("button", { name: /^calculate/ }).click();
    await expect(dialog.getByRole("region", { name: "Part", exact: true })).toContainText('"parameters"');
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
    await dialog.getByText("As sent, JSON").click();
    await expect(dialog).toContainText('"system"');
    await dialog.getByRole("button", { name: "Compare with step 1" }).click();
    await dialog.getByRole("button", { name: /^Reply yes/ }).click();
    await expect(dialog.getByRole("region", { name: "Change", exact: true })).toContainText("yes");
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("Summarising makes room, and the section says what it replaced", async () => {
    await section.getByRole("button", { name: "Summarise now" }).click();
    await expect(section).toContainText("3 messages became");
    await section.getByRole("button", { name: "Read the summary" }).click();
    await expect(section).toContainText("A short story so far.");
  });

  await test.step("On a phone the ring opens the panel", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expect(composer(page)).toBeVisible();
    await ring.click();
    await expect(page.getByRole("dialog", { name: "Run" }).getByRole("meter", { name: "Context" })).toBeVisible();
  });
});

test("A member sees how full the window is, but not the prompt", async ({ openAs, installation }) => {
  await installation.addAgent("full-quiet", [{ text: "ok" }], { ...CONFIG, compaction: { enabled: false } });
  const page = await openAs(await installation.addPerson("member", "Maya Context"));
  await startThread(page, "full-quiet", "a".repeat(11_000));
  await whenDone(page);
  const section = page.getByRole("region", { name: "Context" });
  await expect(section).toContainText("The window is nearly full.");
  await expect(section.getByRole("button", { name: "What the model sees now" })).toBeHidden();
});

test("The context of a thread is accessible", async ({ page, installation }) => {
  test.slow();
  await installation.addAgent("full-looks", [{ text: "ok" }], { ...CONFIG, compaction: { enabled: false } });
  await startThread(page, "full-looks", "a".repeat(11_000));
  await whenDone(page);
  await checkAccessibility(page, new URL(page.url()).pathname, () =>
    expect(page.getByRole("button", { name: /^Context: \d\d% of 4k, nearly full$/ })).toBeVisible(),
  );
});
