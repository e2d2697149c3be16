import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

test("The triage team works on the demo model: its lead writes two cards and its members do them", async ({ page }) => {
  await page.goto("/automations/boards");
  await page
    .getByRole("button", { name: /Triage team/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "New board" });
  await expect(dialog.getByText("This also creates the agents triage-lead and writer.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create board" }).click();
  await expect(page.getByRole("heading", { name: /Triage team/, level: 1 })).toBeVisible();
  const done = page.getByRole("region", { name: "Done" });
  await expect(done.getByRole("listitem")).toHaveCount(2, { timeout: 60_000 });
  await expect(done.getByRole("listitem").first()).toContainText("Research honey bees");
  await expect(page.getByText("2 of 2 done").first()).toBeVisible();
  await page.screenshot({ path: "test-results/board-triage.png" });
});

test("A team finishes a board of six cards, with one review sent back, live and by keys", async ({
  page,
  installation,
}) => {
  const answers = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `Result ${index + 1}.` }));
  await installation.addAgent("board-ann", answers(5));
  await installation.addAgent("board-bob", answers(4));
  await page.goto("/automations/boards");
  await expect(page.getByRole("button", { name: "New board" })).toBeVisible();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New board" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Release 2.9 notes");
  for (const id of ["board-ann", "board-bob"]) {
    const search = dialog.getByRole("searchbox", { name: "Search in Members" });
    if (await search.isVisible()) await search.fill(id);
    await dialog.getByRole("checkbox", { name: new RegExp(id) }).check({ force: true });
  }
  await dialog.getByRole("button", { name: /Review$/ }).click();
  await page.getByRole("option", { name: "You", exact: true }).click();
  await dialog.getByRole("button", { name: "Create board" }).click();
  await expect(page.getByText("Write the first one: a member takes it at once.")).toBeVisible();
  await page.keyboard.press("a");
  const adding = page.getByRole("dialog", { name: "Add card" });
  await adding.getByRole("textbox", { name: "Title" }).fill("Collect the pull requests");
  await adding.getByRole("button", { name: "Add card" }).click();
  const review = page.getByRole("region", { name: "Review" });
  const done = page.getByRole("region", { name: "Done" });
  // It moves by itself: nothing reloads the page.
  await expect(review.getByRole("listitem")).toHaveCount(1);

  await page.evaluate(async () => {
    const path = `/api${location.pathname.replace("/automations", "")}/tasks`;
    const headers = { "content-type": "application/json" };
    const { tasks } = await (await fetch(path)).json();
    const add = async (title: string, assignee: string, dependsOn: string[]) => {
      const body = JSON.stringify({ title, assignee, dependsOn });
      return (await (await fetch(path, { method: "POST", headers, body })).json()).id as string;
    };
    const notes = await add("Write the notes", "board-ann", [tasks[0].id]);
    await add("List every breaking change", "board-bob", [tasks[0].id]);
    await add("Check the numbers", "board-bob", []);
    await add("Translate the notes", "board-ann", [notes]);
    await add("Take the pictures", "board-ann", []);
  });
  const card = (title: string) => page.locator("[data-card]", { hasText: title });
  await expect(review.getByRole("listitem")).toHaveCount(3);
  await card("Collect the pull requests").focus();
  await page.keyboard.press("y");
  await expect(done.getByRole("listitem")).toHaveCount(1);
  await expect(
    review.getByRole("listitem", { includeHidden: false }).filter({ hasText: "Write the notes" }),
  ).toBeVisible();

  await review
    .getByRole("listitem")
    .filter({ hasText: "Write the notes" })
    .getByRole("button", { name: "Send back" })
    .click();
  const note = page.getByRole("dialog", { name: /^Send card 2 back/ });
  await note.getByRole("textbox", { name: "What is missing" }).fill("No link to the pull request.");
  await note.getByRole("button", { name: "Send back" }).click();
  await expect(review.getByText(/Sent back once: “No link to the pull request.”/)).toBeVisible();

  for (const title of [
    "Write the notes",
    "List every breaking change",
    "Check the numbers",
    "Take the pictures",
    "Translate the notes",
  ]) {
    await expect(review.locator("[data-card]", { hasText: title })).toBeVisible();
    await card(title).focus();
    await page.keyboard.press("m");
    await page.keyboard.press("ArrowRight");
    await expect(done.locator("[data-card]", { hasText: title })).toBeVisible();
  }
  await expect(page.getByText("6 of 6 done").first()).toBeVisible();
  await checkAccessibility(page, new URL(page.url()).pathname, async () => {
    await expect(page.getByRole("heading", { name: /Release 2.9 notes/ })).toBeVisible();
  });
  await page.setViewportSize({ width: 390, height: 844 });
  const columns = page.getByRole("navigation", { name: "Columns" });
  await columns.getByRole("button", { name: /^Done/ }).click();
  await expect(done.getByRole("listitem").first()).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Not live since \d\d:\d\d, trying again$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Add card" })).toBeEnabled();
  await expect(page.getByRole("button", { name: "Stop all" })).toBeHidden();
  await page.screenshot({ path: "test-results/board-phone-lost.png" });
  await page.context().setOffline(false);
  await expect(page.getByText(/^Not live since/)).toBeHidden();
  await page.getByRole("button", { name: /6 of 6 done/ }).click();
  await expect(page.getByRole("dialog", { name: "Team" })).toContainText("board-ann");
  await page.getByRole("button", { name: "Close" }).click();
  await page.screenshot({ path: "test-results/board-phone.png" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await card("Translate the notes").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/traces\/run_/);
  await checkAccessibility(page, "/automations/boards", async () => {
    await expect(page.getByRole("link", { name: "Release 2.9 notes" })).toBeVisible();
  });
});
