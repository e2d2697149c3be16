import { startThread } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const REASON = /The request was refused|No more tea/;

test("A failed run opens at its cause, which tells why once", async ({ page, installation }) => {
  test.slow();
  const reading = { calls: [{ name: "ls", args: { path: "." } }], usage: { input: 120, output: 8 } };
  const refusal = { fault: { status: 400, message: "No more tea." } };
  await installation.addAgent("without-tea", [reading, refusal], { retries: 0 });
  await startThread(page, "without-tea", "List the files.");
  await expect(page.getByText("model_failed")).toBeVisible();
  const { traces } = await (await page.request.get("/api/traces?agentId=without-tea")).json();
  const path = `/traces/${traces[0].id}`;
  const detail = page.getByRole("complementary", { name: "Span" });
  const line = page.getByText("The model call of step 2 failed.");
  const cause = page.getByRole("treeitem", { name: /llm\.call/ }).last();

  await test.step("The cause is selected and has the whole text; the line and the row point to it", async () => {
    await page.goto(`${path}?layout=waterfall`);
    await expect(detail).toContainText(REASON);
    await expect(page.getByText(REASON)).toHaveCount(1);
    await expect(line).toBeVisible();
    await expect(cause).toHaveAttribute("aria-selected", "true");
    await expect(cause).toContainText("no answer");
    await expect(cause.getByText("unknown", { exact: true })).toHaveCount(2);
  });

  await test.step("From another span the line leads back", async () => {
    await page.getByRole("treeitem", { name: /\bls\b/ }).click();
    await expect(page.getByText(REASON)).toHaveCount(0);
    await page.getByRole("button", { name: "Show the cause" }).click();
    await expect(detail).toContainText(REASON);
  });

  await test.step("As a text it ends with why", async () => {
    await page.goto(`${path}?layout=read`);
    await expect(line).toBeVisible();
    await page.getByRole("button", { name: "Show the cause" }).click();
    await expect(page.getByText(REASON)).toHaveCount(1);
  });

  await test.step("It is readable by everybody, on every screen", async () => {
    await checkAccessibility(page, `${path}?layout=waterfall`, () => expect(line).toBeVisible());
  });
});
