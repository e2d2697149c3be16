import { expect, type Locator, type Page, test } from "@playwright/test";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { startTestServer, type TestServer } from "../scripts/testing/test-server";
import { lastReply, send, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { watchPages } from "./support/watch-page";

const WRONG_KEY = "sk-wrong-0123456789-abcd";
const RIGHT_KEY = "sk-right-0123456789-q4Xw";

let server: TestServer;
let lab: ScriptedServer;
let refusesKey = true;

test.beforeAll(async () => {
  server = await startTestServer();
  lab = await startScriptedServer({
    models: ["otter-small", "otter-large"],
    script: () => {
      const message = `Incorrect API key provided: ${WRONG_KEY}.`;
      if (refusesKey) return { fault: { status: 401, message } };
      return { text: "Otters hold hands.", usage: { input: 1_000, output: 100 } };
    },
  });
});
test.afterAll(async () => {
  await server.stop();
  await lab.close();
});

/** The field with this label, and nothing whose label only contains it. */
const field = (page: Page, label: string): Locator => page.getByRole("textbox", { name: label, exact: true });
/** A stored key goes to the address that it was entered for: another one needs it again. */
async function moveTo(page: Page, url: string): Promise<void> {
  const save = page.getByRole("button", { name: "Save", exact: true });
  await field(page, "Base URL").fill(url);
  await save.click();
  await field(page, "Key for this address").fill(RIGHT_KEY);
  await save.click();
}

const keyField = (page: Page): Locator => page.getByLabel("Key", { exact: true });

async function testAgain(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Test", exact: true }).click();
}

test("From a fresh start to an own model without a terminal, and its price fills in what was unknown", async ({
  context,
  page,
}) => {
  const watch = watchPages(context, [/400 \(Bad Request\)|502 \(Bad Gateway\)/]);
  const card = page.getByRole("region", { name: "Last test" });

  await test.step("The first admin sets up; the line that names the demo model leads to the providers", async () => {
    await page.goto(/http:\/\/\S+\/setup#token=\S+/.exec(server.output())?.[0] ?? "");
    await page.getByLabel("Your name").fill("Ada Admin");
    await page.getByLabel("Email").fill("ada@example.org");
    await page.getByLabel("Password").fill("a-long-test-password");
    await page.getByRole("button", { name: "Set up Ringmaster" }).click();
    await page.getByRole("link", { name: "Connect a model" }).click();
    await expect(page.getByRole("dialog", { name: "Add provider" })).toBeVisible();
  });

  await test.step("What is missing is said beside its field, and what was typed stays", async () => {
    await page.getByRole("button", { name: /Kind/ }).click();
    await page.getByRole("option", { name: /^OpenAI-compatible/ }).click();
    await keyField(page).fill(WRONG_KEY);
    await page.getByRole("button", { name: "Add and test" }).click();
    await expect(page.getByText("Is needed: the address of its API")).toBeVisible();
    await expect(keyField(page)).toHaveValue(WRONG_KEY);
  });

  await test.step("A refused key is shown in the provider's words, and replaced", async () => {
    await field(page, "Base URL").fill(lab.url);
    await field(page, "Name").fill("Otter lab");
    await field(page, "Id").fill("lab");
    await page.getByRole("button", { name: "Add and test" }).click();
    await expect(card).toContainText("refused the API key (401). Check its key under Admin, Models");
    await expect(card).toContainText("Incorrect API key provided: [redacted]");
    await expect(page.getByRole("link", { name: /Otter lab/ })).toContainText("Refused the key");
    refusesKey = false;
    await page.getByRole("button", { name: "Replace" }).click();
    await keyField(page).fill(RIGHT_KEY);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("q4Xw")).toBeVisible();
    await testAgain(page);
    await expect(card).toContainText("Answered in");
    await expect(card).toContainText("Otters hold hands.");
    await expect(card).toContainText("key replaced since");
  });

  await test.step("A provider that is away says what to check", async () => {
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await moveTo(page, "http://127.0.0.1:9/v1");
    await expect(page.getByText("http://127.0.0.1:9/v1", { exact: true })).toBeVisible();
    await testAgain(page);
    await expect(card).toContainText("Check that it is running and that the address is right");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await moveTo(page, lab.url);
    await expect(page.getByText(lab.url, { exact: true })).toBeVisible();
    await testAgain(page);
    await expect(card).toContainText("Answered in");
  });

  await test.step("One of its models becomes the default", async () => {
    await page.getByRole("button", { name: "Change the default" }).click();
    await page
      .getByRole("button", { name: /Default/ })
      .last()
      .click();
    await page.getByRole("option", { name: "lab:otter-large" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("region", { name: "Default model" })).toContainText("lab:otter-large");
  });

  await test.step("It answers in a chat; what that cost is unknown", async () => {
    await page.goto(`${server.url}/`);
    await expect(page.getByText("small rule-based model")).toBeHidden();
    await send(page, "Tell me about otters");
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    await expect(lastReply(page)).toContainText("Otters hold hands.");
    expect(lab.requests.at(-1)?.headers.authorization).toBe(`Bearer ${RIGHT_KEY}`);
    // The title is one more call of the same model.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Otters hold hands/);
    expect(await costOfThread(page)).toBeNull();
  });

  await test.step("The page counts what a price would fill in before it is saved, and fills it in", async () => {
    const thread = page.url();
    await page.goto(`${server.url}/admin/models?provider=lab`);
    await page.getByRole("button", { name: "Add a price for otter-large" }).click();
    await field(page, "Input").fill("10");
    await expect(page.getByText(/1 run since .* changes from “unknown” to a cost/)).toBeVisible();
    await field(page, "Output").fill("50");
    await expect(page.getByText(/1 run since .* changes from “unknown” to about \$0\.03/)).toBeVisible();
    await page.getByRole("button", { name: "Add price" }).click();
    await expect(
      page.getByRole("table", { name: "Models and prices" }).getByRole("row", { name: /otter-large/ }),
    ).toContainText("$10.00");
    await page.goto(thread);
    await expect.poll(() => costOfThread(page), { timeout: 20_000 }).toBeCloseTo(0.03, 9);
  });

  await checkAccessibility(page, `${server.url}/admin/models?provider=lab`, () => expect(card).toBeVisible());
  expect(watch.problems).toEqual([]);
});

/** In US dollars; null while it is unknown. */
async function costOfThread(page: Page): Promise<number | null> {
  const id = /th_\w+/.exec(page.url())?.[0] ?? "";
  const reply = await page.request.get(`${server.url}/api/threads/${id}`);
  return (await reply.json()).usage.costUsd;
}
