import { composer } from "./support/chat";
import { expect, test } from "./support/journey";

test("Nothing on the start page moves while its choices load, nor when another agent is chosen", async ({
  page,
  installation,
}) => {
  await installation.addAgent("plain", [{ text: "Hello." }], { tools: [] });
  const parts = [
    composer(page),
    page.getByRole("heading", { name: "What can I help with?" }),
    page.getByRole("button", { name: "Attach files" }),
  ];
  const places = () => Promise.all(parts.map((part) => part.boundingBox()));
  await page.route(/\/(agents|api\/providers)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.goto("/?agent=default", { waitUntil: "commit" });
  await expect(parts[1] ?? composer(page)).toBeVisible();
  const first = await places();
  await expect(composer(page)).toBeFocused();
  expect(await places()).toEqual(first);
  await page.getByRole("button", { name: /Agent/ }).click();
  await page.getByRole("option", { name: "plain" }).click();
  await expect(page.getByText(/small rule-based model answers/)).toBeHidden();
  expect(await places()).toEqual(first);
});
