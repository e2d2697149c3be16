import type { Page } from "@playwright/test";
import { checkAccessibility } from "./support/check-accessibility";
import type { Installation } from "./support/installation";
import { expect, test } from "./support/journey";

const CONFIG = {
  context_window: 10_000,
  system_prompt: "Be brief.",
  tools: ["calculate"],
  fallback_models: ["demo:demo"],
  permissions: { enabled: true, ask: ["write_file"], allow: ["calculate"] },
};

/** A thread of the page's own person with 2,000 tokens. */
async function say(page: Page, { url }: Installation, agentId: string): Promise<void> {
  const data = { thread_id: "t", messages: [{ role: "user", content: "a".repeat(8_000) }] };
  const reply = await page.request.post(`/agents/${agentId}/invoke`, { data, headers: { origin: url } });
  expect(reply.ok(), await reply.text()).toBe(true);
}

test("The context rules of a draft, its prompt, its flow and its usage are seen before it is published", async ({
  page,
  installation,
}) => {
  test.slow();
  await installation.addAgent("context-story", [{ text: "ok" }], CONFIG);
  await say(page, installation, "context-story");
  await page.goto("/admin/agents/context-story?tab=context");
  const picture = page.getByRole("region", { name: "When each rule acts" });
  const form = page.getByRole("region", { name: "Form" });
  const rule = (title: string) => picture.getByRole("listitem").filter({ hasText: title });

  await test.step("Each rule says from where it acts, each thread how full it is", async () => {
    await expect(picture).toContainText("10,000 tokens, set below");
    await expect(rule("Old tool results are shortened")).toContainText("3,000 tokens, 30%");
    await expect(rule("A summary replaces older messages")).toContainText("7,500 tokens, 75%, after a run");
    await expect(picture.getByRole("link")).toContainText("2k · 20%");
  });

  await test.step("The picture follows the fields", async () => {
    await form.getByLabel("Shorten from", { exact: true }).fill("0.1");
    await expect(rule("Old tool results are shortened")).toContainText("1,000 tokens, 10%");
    await expect(rule("Old tool results are shortened")).toContainText("The one thread is past it.");
    await form.getByLabel("Window", { exact: true }).fill("20000");
    await expect(picture).toContainText("20,000 tokens, set below");
    await expect(rule("Old tool results are shortened")).toContainText("2,000 tokens, 10%");
    await expect(picture.getByRole("link")).toContainText("2k · 10%");
    await form.getByRole("switch", { name: /^Compact/ }).press("Space");
    await expect(rule("A summary replaces older messages")).toBeHidden();
    await expect(page.getByText(/^saved/)).toBeVisible();
  });

  await test.step("A thread on the axis opens", async () => {
    await picture.getByRole("link").click();
    await expect(page).toHaveURL(/\/threads\//);
  });

  await test.step("The prompt of the draft is shown by section, with where each comes from", async () => {
    await page.goto("/admin/agents/context-story/prompt");
    await expect(page.getByRole("region", { name: "Total" })).toContainText("of 20,000 tokens");
    const part = page.getByRole("region", { name: "Part", exact: true });
    await expect(part).toContainText("Be brief.");
    await expect(part.getByRole("link", { name: "Basics, Prompt" })).toBeVisible();
    await page
      .getByRole("region", { name: "Tools" })
      .getByRole("button", { name: /^calculate/ })
      .click();
    await expect(part).toContainText("listed by the agent");
    await expect(part).toContainText('"parameters"');
    await page.getByRole("button", { name: /Version$/ }).click();
    await page.getByRole("option", { name: "v1, live" }).click();
    await expect(page.getByRole("region", { name: "Total" })).toContainText("of 10,000 tokens");
  });

  await test.step("The flow names the models in order and what a person is asked about", async () => {
    await page.goto("/admin/agents/context-story/flow");
    const way = page.getByRole("list", { name: "The way of a message" });
    await expect(way.getByRole("list", { name: "A person is asked first" })).toContainText("write_file");
    await expect(way.getByRole("list", { name: "Run at once" })).toContainText("calculate");
    await expect(way.getByRole("list", { name: "Fallback models" })).toContainText("demo:demo");
    await expect(way.getByRole("region", { name: "The run ends" })).toContainText("After 25 steps it stops");
    await page.goto("/admin/agents/default/flow");
    await expect(page.getByRole("main").getByRole("link", { name: "Assistant", exact: true })).toBeVisible();
  });

  await test.step("Usage is told by version, without a rate of one run", async () => {
    await page.goto("/admin/agents/context-story?tab=usage");
    const row = page.getByRole("table", { name: "Usage by version" }).getByRole("row", { name: /^v1/ });
    await expect(row).toContainText("too few");
    await page.getByRole("radio", { name: "Versions" }).check({ force: true });
    const table = page.getByRole("table", { name: "How they did" });
    await expect(table.getByRole("row", { name: /^v1/ })).toContainText("too few");
    await expect(table.getByRole("row", { name: /^Draft/ })).toContainText("not counted");
  });
});

test("The pictures of an agent are accessible", async ({ page, installation }) => {
  test.slow();
  await installation.addAgent("context-looks", [{ text: "ok" }], CONFIG);
  await say(page, installation, "context-looks");
  const at = "/admin/agents/context-looks";
  await checkAccessibility(page, `${at}?tab=context`, () =>
    expect(page.getByRole("region", { name: "When each rule acts" }).getByRole("link")).toBeVisible(),
  );
  await checkAccessibility(page, `${at}/prompt`, () =>
    expect(page.getByRole("region", { name: "Part", exact: true })).toContainText("Be brief."),
  );
  await checkAccessibility(page, `${at}/flow`, () => expect(page.getByText("The run ends")).toBeVisible());
  await checkAccessibility(page, `${at}?tab=usage`, () =>
    expect(page.getByRole("table", { name: "Usage by version" })).toBeVisible(),
  );
  await checkAccessibility(page, `${at}?tab=versions`, () =>
    expect(page.getByRole("table", { name: "How they did" })).toBeVisible(),
  );
});
