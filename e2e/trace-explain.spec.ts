import { pressUntil, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test("A run is explained without a model: what failed leads to its span", async ({ page, installation }) => {
  test.slow();
  const reading = { calls: [{ name: "read_file", args: { path: "missing.md" } }] };
  await installation.addAgent("explained", [reading, { text: "There is no such file." }]);
  await startThread(page, "explained", "Read it");
  await whenDone(page);
  const { traces } = await (await page.request.get("/api/traces?agentId=explained")).json();
  const path = `/traces/${traces[0].id}?layout=waterfall`;
  const explained = page.getByRole("region", { name: "What stands out in this run" });
  const failure = explained.getByRole("button", { name: /^read_file missing\.md failed: / });

  await test.step("A key shows the lines, and a line opens its span", async () => {
    await page.goto(path);
    await pressUntil(page, "x", explained);
    await failure.click();
    await expect(page.getByRole("complementary", { name: "Span" })).toContainText("missing.md");
    await expect(page).toHaveURL(/span=/);
  });

  await test.step("It is readable by everybody, on every screen", async () => {
    await checkAccessibility(page, path, async () => {
      await page.getByRole("button", { name: /^Explain/ }).click();
      await expect(failure).toBeVisible();
    });
  });
});
