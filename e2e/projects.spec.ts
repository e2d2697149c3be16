import { gate, lastReply, send, whenAlive, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of (400|403|404)/] });

test("Two members work in a project: one reads along live, writes with a role for it, and loses it when removed", async ({
  page,
  installation,
  openAs,
}) => {
  const writing = gate();
  await installation.addAgent("ledger", [
    { calls: [{ name: "write_file", args: { path: "plan.md", content: "Step one." } }] },
    { text: "The plan is written.", gate: writing.opened },
    { text: "Your question is answered." },
  ]);
  const person = await installation.addPerson("member", "Jonas Thiel");
  const other = await openAs(person);

  await test.step("The owner makes a project with instructions and a member who reads", async () => {
    await page.goto("/");
    await page.getByRole("button", { name: "New project" }).click();
    const dialog = page.getByRole("dialog", { name: "New project" });
    await dialog.getByLabel("Name").fill("Ledger rewrite");
    await dialog.getByRole("button", { name: "Create project" }).click();
    await page.waitForURL(/\/projects\/prj_/);
    await expect(page.getByRole("heading", { name: "Ledger rewrite" })).toBeVisible();
    await expect(page.getByText("Instructions and files are ready.")).toBeVisible();
    const panel = page.getByRole("complementary", { name: "Project" });
    await panel.getByRole("button", { name: "Edit" }).click();
    const instructions = page.getByRole("dialog", { name: "Instructions" });
    await instructions.getByLabel("Text").fill("Amounts are integers in cents.");
    await instructions.getByRole("button", { name: "Save" }).click();
    await expect(panel.getByText("Amounts are integers in cents.")).toBeVisible();
    await page.getByRole("button", { name: "Share" }).click();
    const adding = page.getByRole("dialog", { name: "Add a member" });
    await adding.getByLabel("Email address").fill("nobody@example.org");
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await expect(adding.getByText(/There is no such account/)).toBeVisible();
    await adding.getByLabel("Email address").fill(person.email);
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await expect(panel.getByRole("button", { name: "Jonas Thiel, reads" })).toBeVisible();
    await expect(page.getByRole("img", { name: "Members: Ada Admin, Jonas Thiel" })).toBeVisible();
  });

  const projectPath = new URL(page.url()).pathname;
  await checkAccessibility(page, projectPath, () =>
    expect(page.getByRole("heading", { name: "No threads yet" })).toBeVisible(),
  );
  await page.setViewportSize({ width: 1440, height: 900 });

  await test.step("Files are added, looked at, and deleted with Undo", async () => {
    const panel = page.getByRole("complementary", { name: "Project" });
    const chooser = page.waitForEvent("filechooser");
    await panel.getByRole("button", { name: "Upload files" }).click();
    const terms = { name: "terms.md", mimeType: "text/markdown", buffer: Buffer.from("# Terms\n\nNet 30.") };
    await (await chooser).setFiles(terms);
    await panel.getByRole("button", { name: "terms.md" }).click();
    const file = page.getByRole("dialog", { name: "terms.md" });
    await expect(file.getByRole("heading", { name: "Terms", exact: true })).toBeVisible();
    await file.getByRole("button", { name: "Delete" }).click();
    await expect(panel.getByRole("button", { name: "terms.md" })).toHaveCount(0);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(panel.getByRole("button", { name: "terms.md" })).toBeVisible();
    for (const name of ["terms.md", "Edit", "Add a member", "Jonas Thiel, reads"]) {
      await checkAccessibility(page, projectPath, async () => {
        await panel.getByRole("button", { name, exact: name === "Edit" }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
      });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    await checkAccessibility(page, projectPath, async () => {
      await page.getByRole("button", { name: "Settings" }).click();
      await expect(page.getByRole("dialog", { name: "Project settings" })).toBeVisible();
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(projectPath);
  });

  await test.step("A thread begins in the project, and the member reads it live but can't write", async () => {
    await page.getByRole("button", { name: /Agent$/ }).click();
    await page.getByRole("option", { name: "ledger", exact: true }).click();
    await send(page, "Write the plan of the ledger");
    await page.waitForURL(/\/threads\/th_/);
    await expect(page.getByRole("link", { name: "Ledger rewrite" }).first()).toBeVisible();
    await other.goto(projectPath);
    await expect(other.getByText("You can read here. Ask Ada Admin to write.")).toBeVisible();
    await other.getByRole("link", { name: "Write the plan of the ledger" }).click();
    await expect(other.getByRole("button", { name: /write_file/ })).toBeVisible();
    await expect(other.getByText("The plan is written.")).toBeHidden();
    writing.open();
    await expect(lastReply(other)).toContainText("The plan is written.");
    await expect(other.getByRole("textbox", { name: "Message" })).toHaveCount(0);
    await expect(other.getByRole("article", { name: "Message from Ada Admin" })).toBeVisible();
    await whenDone(page);
  });

  const threadPath = new URL(page.url()).pathname;
  await test.step("A reader is refused in words, a writer sends", async () => {
    const refused = await other.request.post(`/api${threadPath}/messages`, {
      data: { content: "Me too" },
      headers: { origin: installation.url },
    });
    expect(refused.status()).toBe(403);
    expect(await refused.text()).toContain("You can read here. Ask Ada Admin to write.");
    await page.goto(projectPath);
    const panel = page.getByRole("complementary", { name: "Project" });
    await panel.getByRole("button", { name: "Jonas Thiel, reads" }).click();
    const member = page.getByRole("dialog", { name: "Jonas Thiel" });
    await member.getByRole("button", { name: /Role$/ }).click();
    await page.getByRole("option", { name: /^Writes/ }).click();
    await member.getByRole("button", { name: "Save" }).click();
    await expect(panel.getByRole("button", { name: "Jonas Thiel, writes" })).toBeVisible();
    await other.goto(threadPath);
    await send(other, "And what comes next?");
    await expect(lastReply(other)).toContainText("Your question is answered.");
    await page.goto(threadPath);
    await expect(page.getByRole("article", { name: "Message from Jonas Thiel" })).toContainText("And what comes next?");
  });

  await test.step("Removed, the member loses the project and its threads", async () => {
    await other.goto(threadPath);
    await whenAlive(other);
    await page.goto(projectPath);
    await expect(page.getByRole("table", { name: "Threads of the project" })).toContainText("project files");
    const panel = page.getByRole("complementary", { name: "Project" });
    await panel.getByRole("button", { name: "Jonas Thiel, writes" }).click();
    await page.getByRole("button", { name: "Remove from the project" }).click();
    const confirm = page.getByRole("dialog", { name: "Remove Jonas Thiel" });
    await expect(confirm).toContainText("Threads they started stay with the project.");
    await confirm.getByRole("button", { name: "Remove" }).click();
    await expect(panel.getByRole("button", { name: /Jonas Thiel/ })).toHaveCount(0);
    await expect(other.getByText("This thread is no longer here")).toBeVisible();
    await other.screenshot({ path: "test-results/thread-gone.png" });
    await other.goto(threadPath);
    await expect(other.getByText("Thread not found")).toBeVisible();
    await other.goto(projectPath);
    await expect(other.getByText("Project not found")).toBeVisible();
  });

  await test.step("A deleted project comes back whole", async () => {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog", { name: "Project settings" }).getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/$/);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForURL(new RegExp(projectPath));
    await expect(page.getByRole("link", { name: "Write the plan of the ledger" })).toBeVisible();
  });
});
