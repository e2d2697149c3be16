import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

// A time that is never due is refused by the server, beside its field.
test.use({ expectedErrors: [/status of 400/] });

test("A schedule is made with its check, run now, paused, resumed, edited and deleted, by keys where there are any", async ({
  page,
  installation,
}) => {
  await installation.addAgent("timed", [{ text: "All is well." }, { text: "Still well." }]);
  await page.goto("/automations/schedules");
  await expect(page.getByRole("heading", { name: "Automations", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "New schedule" })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/automations\/schedules\/new$/);
  const dialog = page.getByRole("main");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("Morning brief");
  await dialog.getByRole("button", { name: /Agent$/ }).click();
  await page.getByRole("option", { name: /timed/ }).first().click();
  await dialog.getByRole("textbox", { name: "Prompt" }).fill("Look around.");
  const when = dialog.getByRole("textbox", { name: "When" });
  await when.fill("0 0 31 2 *");
  await expect(dialog.getByText(/is never due/)).toBeVisible();
  await when.fill("every weekday at 9");
  await expect(dialog.getByText("Weekdays at 09:00 · 0 9 * * 1-5")).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
  await expect(dialog.getByText("None, under the agent’s current rules.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(page).toHaveURL(/\/automations\/schedules$/);

  const name = page.getByRole("link", { name: "Morning brief", exact: true });
  const row = page.getByRole("row").filter({ has: name });
  await expect(row).toContainText("weekdays at 09:00");
  await expect(row).toContainText(/09:00 in \d+/);
  await name.focus();
  await page.keyboard.press("r");
  await expect(row.getByRole("img", { name: "Completed" })).toBeVisible();
  await row.getByRole("button", { name: /^Past 1 of Morning brief/ }).click();
  await expect(page.getByRole("dialog", { name: "Firings of Morning brief" })).toContainText("Ran");
  await page.keyboard.press("Escape");
  await name.focus();
  await page.keyboard.press("p");
  await expect(row).toContainText("Paused by you");
  await row.getByRole("button", { name: "Resume Morning brief" }).click();
  await expect(row).toContainText(/09:00 in \d+/);

  await checkAccessibility(page, "/automations/schedules", async () => expect(name).toBeVisible());
  await page.setViewportSize({ width: 1440, height: 900 });
  await name.click();
  await expect(page).toHaveURL(/\/automations\/schedules\/trg_/);
  const address = new URL(page.url()).pathname;
  const editor = page.getByRole("main");
  await editor.getByRole("textbox", { name: "US dollars per day" }).fill("0.50");
  await editor.getByRole("textbox", { name: "When" }).fill("every 2 h");
  await expect(editor.getByText("2 changes")).toBeVisible();
  await page.reload();
  await expect(editor.getByRole("textbox", { name: "When" })).toHaveValue("every 2 h");
  await page.goBack();
  await expect(row).toContainText("weekdays at 09:00");
  await page.goForward();
  await editor.getByRole("button", { name: "Save schedule" }).click();
  await expect(row).toContainText("every 2 h");
  await expect(row).toContainText("of $0.50");
  await checkAccessibility(page, address, async () => {
    await expect(editor.getByRole("region", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/automations/schedules");
  await row.getByRole("button", { name: "More for Morning brief" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete schedule" }).click();
  await expect(name).toBeHidden();
});

test("A schedule that is due fires by itself, and its run stands in a thread of its own and in its trace", async ({
  page,
  installation,
}) => {
  await installation.addAgent("punctual", [{ text: "On time." }]);
  const at = new Date(Date.now() + 2_000).toISOString().replace(/\.\d+Z$/, "Z");
  const body = { agentId: "punctual", name: "At once", at, prompt: "Be on time." };
  await installation.call("POST", "/api/schedules", body);
  await page.goto("/automations/schedules");
  const row = page.getByRole("row").filter({ hasText: "At once" });
  await expect(row).toContainText("Done", { timeout: 30_000 });
  await expect(row.getByRole("img", { name: "Completed" })).toBeVisible({ timeout: 30_000 });
});

test("What a schedule's run waits for is allowed for the schedule where it stands, and asked no more", async ({
  page,
  installation,
}) => {
  const call = { calls: [{ name: "write_file", args: { path: "/workspace/a.txt", content: "a" } }] };
  const steps = [call, { text: "Written." }, call, { text: "Written again." }];
  await installation.addAgent("timed-writer", steps, { permissions: { enabled: true, mode: "default" } });
  await page.goto("/automations/schedules");
  await page.evaluate(async () => {
    const body = { agentId: "timed-writer", name: "Write it down", every: "1d", prompt: "Write.", enabled: false };
    const headers = { "content-type": "application/json" };
    await fetch("/api/schedules", { method: "POST", headers, body: JSON.stringify(body) });
  });
  await page.reload();
  const name = page.getByRole("link", { name: "Write it down", exact: true });
  const row = page.getByRole("row").filter({ has: name });
  await name.focus();
  await page.keyboard.press("r");
  await page.getByRole("button", { name: "Allow for this schedule" }).click();
  await expect(row.getByRole("img", { name: "Completed" })).toBeVisible();
  await name.focus();
  await page.keyboard.press("r");
  await expect(row.getByRole("button", { name: /^Past 2 of Write it down: ran/ })).toBeVisible();
  await expect(row.getByRole("img", { name: "Completed" })).toBeVisible();
});

test("“Every weekday at 9” said in the chat becomes a schedule after an approval, fires and delivers", async ({
  page,
  installation,
}) => {
  const args = { action: "create", name: "Morning sums", when: "every weekday at 9", prompt: "Calculate 6 * 7" };
  const steps = [{ calls: [{ name: "schedule", args }] }, { text: "I will be there at nine." }, { text: "It is 42." }];
  await installation.addAgent("planner", steps, { tools: ["schedule"] });
  await startThread(page, "planner", "Every weekday at 9, calculate 6 * 7");
  await expect(page.getByText("Create this schedule?").first()).toBeVisible();
  const card = page.getByRole("region", { name: /^Approval: schedule/ });
  await expect(card.getByText(/^Weekdays at 09:00, /)).toBeVisible();
  await expect(card.getByRole("listitem")).toHaveCount(5);
  await page.keyboard.press("Alt+y");
  await expect(await whenDone(page)).toContainText("I will be there at nine.");
  await page.goto("/automations/schedules");
  const row = page.getByRole("row").filter({ hasText: "Morning sums" });
  await expect(row).toContainText("weekdays at 09:00");
  await row.getByRole("link", { name: "Morning sums", exact: true }).focus();
  await page.keyboard.press("r");
  await expect(row.getByRole("img", { name: "Completed" })).toBeVisible();
  const { deliveries } = await page.evaluate(async () => (await fetch("/api/deliveries?mine=true")).json());
  expect(deliveries).toContainEqual(expect.objectContaining({ target: { thread: true }, state: "sent" }));
  await page.getByRole("link", { name: "Log", exact: true }).click();
  const firing = page.getByRole("row").filter({ hasText: "Morning sums" });
  await expect(firing).toContainText("Ran");
  await page.goBack();
  await row.getByRole("button", { name: /^Past 1 of Morning sums/ }).click();
  await page.getByRole("link", { name: "Open thread" }).click();
  await expect(page.getByText("It is 42.")).toBeVisible();
});
