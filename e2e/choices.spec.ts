import type { Page } from "@playwright/test";
import { composer, lastReply, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

async function pick(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`${label}$`) }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("listbox")).toBeVisible();
  await page.getByRole("option", { name: option }).press("Enter");
  await expect(page.getByRole("listbox")).toBeHidden();
}

test("A person picks model and effort with the keyboard; they are remembered for the thread and shown on the reply", async ({
  page,
  installation,
}) => {
  const asked: unknown[] = [];
  await installation.addAgent("choices-large", [
    ({ reasoning_effort }) => {
      asked.push(reasoning_effort);
      return { text: "A large answer." };
    },
    { text: "Large again." },
  ]);
  await installation.addAgent("choosing", [{ text: "The usual answer." }], {
    choices: { models: ["scripted:choices-large"], efforts: ["low", "high"] },
  });
  await startThread(page, "choosing", "Which model?");
  await whenDone(page);
  await pick(page, "Model", /choices-large/);
  await pick(page, "Effort", "High effort");
  await page.reload();
  await expect(page.getByRole("button", { name: "choices-large Model" })).toBeVisible();
  await send(page, "And now?");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("A large answer.");
  await expect(lastReply(page)).toContainText("choices-large · high effort");
  expect(asked).toEqual(["high"]);
  await checkAccessibility(page, new URL(page.url()).pathname, () =>
    expect(page.getByRole("button", { name: "High effort Effort" })).toBeVisible(),
  );
  await installation.addAgent("choosing-nothing", [], { choices: { models: [], efforts: [] } });
  await page.goto("/?agent=choosing-nothing");
  await expect(composer(page)).toBeVisible();
  await expect(page.getByRole("button", { name: /Model$/ })).toBeHidden();
});

test("Where an agent says nothing of it, every model that is on can be picked", async ({ page, installation }) => {
  await installation.addAgent("open-choice", [{ text: "The usual answer." }]);
  await startThread(page, "open-choice", "Which model?");
  await whenDone(page);
  await page.getByRole("button", { name: "open-choice Model" }).click();
  await page.getByRole("option", { name: /^scripted/ }).click();
  await pick(page, "Effort", "Low effort");
  await expect(page.getByRole("button", { name: "scripted Model" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "scripted Model" })).toBeVisible();
});

test("Another agent answers one message after an @, and the next one is answered as before", async ({
  page,
  installation,
}) => {
  await installation.addAgent("mentioned", [{ text: "I am the other one." }]);
  await installation.addAgent("mentioning", [{ text: "My first." }, { text: "My second." }]);
  await startThread(page, "mentioning", "Who are you?");
  await whenDone(page);
  await composer(page).fill("And who are you @mentioned");
  await expect(page.getByRole("option", { name: /@mentioned/ })).toBeVisible();
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("And who are you ");
  await expect(page.getByText("answers this message")).toBeVisible();
  await composer(page).press("Enter");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("I am the other one.");
  await expect(lastReply(page)).toContainText("mentioned answers this message");
  await expect(lastReply(page)).toContainText("mentioned v1");
  await send(page, "And you?");
  await whenDone(page);
  await expect(lastReply(page)).toContainText("My second.");
  await expect(lastReply(page)).not.toContainText("answers this message");
});

test("A reply is answered again by another model, and a failed one is retried with another", async ({
  page,
  installation,
}) => {
  await installation.addAgent("again-large", [{ text: "A large way." }, { text: "Retried by the large one." }]);
  await installation.addAgent("again", [{ text: "One way." }, { fault: { status: 400, message: "No more." } }], {
    choices: { models: ["scripted:again-large"] },
  });
  await startThread(page, "again", "Which way?");
  await whenDone(page);
  await lastReply(page).getByRole("button", { name: "Regenerate" }).click();
  await expect(page.getByRole("menuitem", { name: /^Same again/ })).toContainText("again v1, again");
  await page
    .getByRole("group", { name: "Another model" })
    .getByRole("menuitem", { name: /^again-large/ })
    .click();
  await expect(lastReply(page)).toContainText("A large way.");
  await expect(lastReply(page)).toContainText("again v1 · again-large");
  await whenDone(page);
  await send(page, "And now?");
  await expect(page.getByText("model_failed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy the error code" })).toBeVisible();
  await page.getByRole("button", { name: "Retry with another model" }).click();
  await page.getByRole("menuitem", { name: "again-large" }).click();
  await expect(lastReply(page)).toContainText("Retried by the large one.");
  await expect(lastReply(page)).toContainText("The request of the failed step was built again");
});

test("An administrator lets the draft answer again", async ({ page, installation }) => {
  await installation.addAgent("drafted", [{ text: "As published." }, { text: "As drafted." }]);
  await startThread(page, "drafted", "Who?");
  await whenDone(page);
  const { yaml } = await (await installation.call("GET", "/api/agents/drafted/draft")).json();
  await installation.call("PUT", "/api/agents/drafted/draft", { yaml: `${yaml}\nmax_iterations: 7\n`, revision: 0 });
  await lastReply(page).getByRole("button", { name: "Regenerate" }).click();
  await page.getByRole("menuitem", { name: /^drafted draft/ }).click();
  await expect(lastReply(page)).toContainText("As drafted.");
  await expect(lastReply(page)).toContainText("draft r1");
});
