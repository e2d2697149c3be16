import { startThread, whenDone } from "./support/chat";
import { checkAccessibility as check } from "./support/check-accessibility";
import { showYaml } from "./support/editor";
import { expect, test } from "./support/journey";

const TODOS = {
  todos: [
    { id: "1", title: "Look", status: "done" },
    { id: "2", title: "Write", status: "in_progress" },
    { id: "3", title: "Check", status: "pending" },
  ],
};

test.describe("Before signing in", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("the sign-in page is accessible", async ({ page, admin }) => {
    expect(admin.name, "without an admin it would be the set-up page").not.toBe("");
    await check(page, "/sign-in", () => expect(page.getByRole("button", { name: "Sign in" })).toBeVisible());
  });
});

test("The start page, the lists and the console are accessible", async ({ page, installation }) => {
  test.slow();
  const key = { name: "Example", scopes: ["read"] };
  await page.request.post("/api/api-keys", { data: key, headers: { origin: installation.url } });
  const row = (name: string | RegExp) => () => expect(page.getByRole("row", { name }).first()).toBeVisible();
  await check(page, "/", () => expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible());
  await check(page, "/admin/agents", row(/Assistant/));
  await check(page, "/admin/agents/default", () => showYaml(page));
  await check(page, "/admin/agents/new", () => expect(page.getByRole("textbox", { name: "Name" })).toBeVisible());
  await installation.call("POST", "/api/agents", { draft: true, name: "Checked", template: "data-analyst" });
  await check(page, "/admin/agents/checked", () =>
    expect(page.getByRole("button", { name: "Publish v1" })).toBeVisible(),
  );
  await check(page, "/admin/people", row(/Ada Admin/));
  await check(page, "/settings/keys", row(/Example/));
});

test("The pages that connect and govern are accessible", async ({ page }) => {
  test.slow();
  const title = (name: string) => () => expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await check(page, "/admin/models", title("Models"));
  await check(page, "/admin/tools", title("Tools"));
  await check(page, "/admin/agents/default/memory", title("Memory"));
  await check(page, "/admin/usage", title("Usage"));
  await check(page, "/admin/settings/audit", async () => {
    await page
      .getByRole("button", { name: /signed in/ })
      .first()
      .click();
    await expect(page.getByRole("complementary", { name: "Entry" })).toBeVisible();
  });
});

test("The palette, the keys and what a person attaches are accessible", async ({ page }) => {
  test.slow();
  const start = () => expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  const file = { name: "times.csv", mimeType: "text/csv", buffer: Buffer.from("a,b") };
  await check(page, "/", async () => {
    await start();
    await page.getByLabel("Files to attach").setInputFiles(file);
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
  });
  await check(page, "/", async () => {
    await start();
    await page.getByLabel("Files to attach").setInputFiles(file);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  });
  await check(page, "/", async () => {
    await start();
    await page.getByLabel("Files to attach").setInputFiles(file);
    await expect(page.getByRole("list", { name: "Attached files" })).toBeVisible();
  });
});

test.describe("A missing page", () => {
  test.use({ expectedErrors: [/status of 404/] });

  test("is accessible", async ({ page }) => {
    await check(page, "/nothing/here", () =>
      expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible(),
    );
  });
});

test("A thread with every kind of card, and its trace, are accessible", async ({ page, installation }) => {
  test.slow();
  const file = { path: "a/page.md", content: "# Title\n\nfirst\n" };
  await installation.addAgent(
    "every-card",
    [
      {
        reasoning: "Several tools at once.",
        text: "I begin with a plan and a file.",
        calls: [
          { name: "write_todos", args: TODOS },
          { name: "write_file", args: file },
        ],
      },
      {
        calls: [
          { name: "ls", args: { path: "." } },
          { name: "glob", args: { pattern: "**/*.md" } },
          { name: "grep", args: { pattern: "first" } },
          { name: "read_file", args: { path: file.path } },
        ],
      },
      { calls: [{ name: "edit_file", args: { path: file.path, old_text: "first", new_text: "second" } }] },
      {
        calls: [
          { name: "calculate", args: { expression: "6 * 7" } },
          { name: "read_file", args: { path: "absent.txt" } },
          { name: "no_such_tool", args: {} },
        ],
      },
      {
        text: "## Result\n\n| A | B |\n| --- | ---: |\n| one | 2 |\n\n```ts\nconst answer = 42;\n```\n\n- [x] done\n\n> quoted",
      },
    ],
    { tools: ["calculate"] },
  );
  await startThread(page, "every-card", "Show every card");
  const reply = await whenDone(page);
  await expect(reply.getByRole("heading", { name: "Result" })).toBeVisible();
  const thread = new URL(page.url()).pathname;
  const { latestTraceId } = await (await page.request.get(`/api${thread}`)).json();

  await check(page, thread, async () => {
    await expect(page.getByRole("heading", { name: "Result" })).toBeVisible();
    for (const name of [/^edit_file/, /^write_file/, /^write_todos/]) {
      await page.getByRole("button", { name }).first().click();
    }
  });
  await check(page, "/traces", () =>
    expect(page.getByRole("link", { name: /every-card|Show every card/ }).first()).toBeVisible(),
  );
  await check(page, `/traces/${latestTraceId}`, async () => {
    await page
      .getByRole("treeitem", { name: /edit_file/ })
      .first()
      .click();
    await expect(page.getByRole("complementary", { name: "Span" })).toBeVisible();
  });
});
