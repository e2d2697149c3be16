import path from "node:path";
import Connection from "better-sqlite3";
import { startTestServer, type TestServer } from "../scripts/testing/test-server";
import { gate, lastReply, startThread, whenDone } from "./support/chat";
import { createInstallation, type Installation, type Person } from "./support/installation";
import { expect, test as journey } from "./support/journey";

const KEY = "rm_journeys_00000000000000000000";

// Its own server, because it is killed; the worker's other journeys keep theirs.
const test = journey.extend<{ own: { server: TestServer; installation: Installation; person: Person } }>({
  own: async ({ provider }, use) => {
    const server = await startTestServer({
      RINGMASTER_ADMIN_API_KEY: KEY,
      RINGMASTER_SCRIPTED_MODEL_URL: provider.url,
    });
    const installation = createInstallation({
      url: server.url,
      dataDirectory: server.dataDirectory,
      key: KEY,
      provider,
    });
    const person = await installation.addPerson("admin", "Kim Killed");
    await use({ server, installation, person });
    await server.stop();
  },
  baseURL: async ({ own }, use) => use(own.server.url),
  storageState: async ({ own }, use) => use(own.person.storageState),
});
test.use({ expectedErrors: [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|ERR_NETWORK|ERR_SOCKET/] });

test("A run survives kill -9 of the server, and the open page catches up by itself", async ({ page, own }) => {
  test.slow();
  const never = gate();
  await own.installation.addAgent("survivor", [
    { text: "Before the fall. ", calls: [{ name: "write_file", args: { path: "kept.txt", content: "kept" } }] },
    { text: "lost with the server", gate: never.opened },
    { text: "After the fall." },
  ]);
  await startThread(page, "survivor", "Survive");
  await expect(lastReply(page).getByRole("button", { name: /^write_file/ })).toBeVisible();
  await expect(lastReply(page)).toHaveAttribute("aria-busy", "true");

  await own.server.kill();
  await expect(page.getByText("The connection was lost. Reconnecting; the run continues.")).toBeVisible();
  await own.server.restart();

  const reply = lastReply(page);
  await expect(reply.getByText("After the fall.")).toBeVisible({ timeout: 60_000 });
  await whenDone(page);
  await expect(reply.getByText("Before the fall.")).toBeVisible();
  await expect(reply.getByRole("button", { name: /^write_file/ })).toHaveCount(1);
  never.open();
});

test("While the server is down the page says so and stays, and continues once it is back", async ({ page, own }) => {
  test.slow();
  await page.goto("/");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(palette).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Escape");

  await own.server.kill();
  const line = page.getByText("The server does not answer. Trying again; what you see may be out of date.");
  await expect(line).toBeVisible({ timeout: 20_000 });
  const stays = page.getByText("This page stays as it is.");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Traces" }).click();
  await expect(stays).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await palette.getByRole("combobox").fill("skills");
  await page.keyboard.press("Enter");
  await expect(stays).toHaveCount(2);
  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();

  await own.server.restart();
  await expect(line).toBeHidden({ timeout: 20_000 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Traces" }).click();
  await expect(page).toHaveURL(/\/traces$/);
});

test("A start that fails behind the pages ends the process with one sentence, not with pages that fail", async ({
  own,
}) => {
  test.slow();
  await own.server.kill();
  const connection = new Connection(path.join(own.server.dataDirectory, "ringmaster.db"));
  connection
    .prepare(`insert into "setting" ("key", "value", "updatedAt") values (?, ?, current_timestamp)`)
    .run("settings:retention", '{"traces":');
  connection.close();
  await expect(own.server.restart()).rejects.toThrow(
    /Ringmaster can't start: the settings of retention in the database can't be read \(.+\)\. Restore a backup/,
  );
});
