import { lastReply, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const document = (host: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Otter facts" },
    servers: [{ url: `http://${host}` }],
    paths: {
      "/facts/{animal}": {
        get: {
          operationId: "getFact",
          summary: "One fact about an animal",
          parameters: [{ name: "animal", in: "path", required: true, schema: { type: "string" } }],
        },
      },
      "/upload": { post: { requestBody: { required: true, content: { "image/png": {} } } } },
    },
  });

test("An administrator makes a tool without JSON, tests it, imports others, and an agent uses them", async ({
  page,
  installation,
  web,
}) => {
  web.pages.set("/weather/Oslo", JSON.stringify({ current: { words: "clear and cold" } }));
  web.pages.set("/facts/otter", JSON.stringify({ fact: "Otters hold hands." }));
  await page.goto("/admin/tools?tab=http");

  await test.step("What the address names becomes an argument", async () => {
    await page.getByRole("button", { name: "New HTTP tool" }).click();
    const dialog = page.getByRole("dialog", { name: "New HTTP tool" });
    await dialog.getByRole("textbox", { name: "Name" }).first().fill("city_weather");
    await dialog.getByRole("textbox", { name: "Description" }).first().fill("The weather of a city");
    await dialog.getByRole("textbox", { name: "URL" }).fill(`http://${web.host}/weather/{city}`);
    await dialog.getByRole("button", { name: "Add city" }).click();
    await dialog.getByRole("button", { name: /Query, headers/ }).click();
    await dialog.getByRole("textbox", { name: "Answer" }).fill("$.current.words");
    await dialog.getByRole("button", { name: "Create tool" }).click();
    await expect(page.getByRole("row", { name: /city_weather/ })).toContainText(
      `GET http://${web.host}/weather/{city}`,
    );
  });

  await test.step("A test call shows what the service answered and what the model reads", async () => {
    await page.getByRole("button", { name: "Actions for city_weather" }).click();
    await page.getByRole("menuitem", { name: "Test call" }).click();
    const dialog = page.getByRole("dialog", { name: "Test city_weather" });
    await dialog.getByLabel("Arguments as JSON").fill('{"city": "Oslo"}');
    await dialog.getByRole("button", { name: "Call it now" }).click();
    await expect(dialog.getByRole("region", { name: "Answer" })).toContainText("clear and cold");
    await dialog.getByText("The real answer: HTTP 200").click();
    await expect(dialog.getByText('{"current":{"words":"clear and cold"}}')).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("A document becomes tools; what can't says why", async () => {
    await page.getByRole("button", { name: "Import OpenAPI" }).click();
    await page.getByRole("textbox", { name: "Document" }).fill(document(web.host));
    await page.getByRole("button", { name: "Show operations" }).click();
    const dialog = page.getByRole("dialog", { name: "Import Otter facts" });
    await dialog.getByText("1 operation can’t become a tool").click();
    await expect(dialog.getByText("Its body is image/png, which a tool does not send.")).toBeVisible();
    await dialog.getByText("get_fact", { exact: true }).click();
    await dialog.getByRole("button", { name: "Create 1 tool" }).click();
    await expect(page.getByRole("dialog", { name: "1 tool created" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("row", { name: /get_fact/ })).toBeVisible();
  });

  await test.step("An agent reads the chosen part of each answer", async () => {
    const read: string[] = [];
    await installation.addAgent(
      "forecasting",
      [
        {
          calls: [
            { name: "city_weather", args: { city: "Oslo" } },
            { name: "get_fact", args: { animal: "otter" } },
          ],
        },
        ({ messages = [] }) => {
          read.push(...messages.slice(-2).map(({ content }) => String(content)));
          return { text: "It is clear and cold, and otters hold hands." };
        },
      ],
      { tools: ["city_weather", "get_fact"] },
    );
    await startThread(page, "forecasting", "How is Oslo?");
    await whenDone(page);
    await expect(lastReply(page)).toContainText("clear and cold");
    expect(read).toEqual(["clear and cold", JSON.stringify({ fact: "Otters hold hands." })]);
  });

  await checkAccessibility(page, "/admin/tools?tab=http", () =>
    expect(page.getByRole("row", { name: /city_weather/ })).toBeVisible(),
  );
  const open = async (button: string, dialog: string) => {
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
  };
  await checkAccessibility(page, "/admin/tools?tab=http", async () => {
    await open("New HTTP tool", "New HTTP tool");
    await page.getByRole("button", { name: "Add argument" }).click();
    await page.getByRole("button", { name: /Query, headers/ }).click();
  });
  await checkAccessibility(page, "/admin/tools?tab=http", async () => {
    await page.getByRole("button", { name: "More ways to add a tool" }).click();
    await page.getByRole("menuitem", { name: "From the gallery" }).click();
    await expect(page.getByRole("dialog", { name: "From the gallery" })).toContainText("SearXNG");
  });
});
