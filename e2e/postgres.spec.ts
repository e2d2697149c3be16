import { expect, test } from "@playwright/test";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { type PostgresServer, startPostgres } from "../scripts/database/postgres-server";
import { startTestServer, type TestServer } from "../scripts/testing/test-server";
import { send, whenDone } from "./support/chat";
import { watchPages } from "./support/watch-page";

test.skip(!requireMachine("postgresql"), "needs a Postgres server");

let postgres: PostgresServer;
let server: TestServer;
test.beforeAll(async () => {
  postgres = await startPostgres();
  server = await startTestServer({
    DATABASE_URL: postgres.url,
    RINGMASTER_ADMIN_EMAIL: "pg@example.org",
    RINGMASTER_ADMIN_PASSWORD: "a-long-test-password",
  });
});
test.afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
});

test("The main job works on Postgres as well", async ({ page, context }) => {
  const watch = watchPages(context);
  await page.goto(server.url);
  await page.getByLabel("Email").fill("pg@example.org");
  await page.getByLabel("Password").fill("a-long-test-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  await send(page, "Create notes.md with remember the milk");
  await page.waitForURL(/\/threads\/th_/);
  const reply = await whenDone(page);
  await expect(reply.getByRole("button", { name: /^write_file/ })).toBeVisible();
  await page.reload();
  await whenDone(page);
  await reply.getByRole("link", { name: "Open trace", exact: true }).click();
  await expect(page.getByRole("treeitem", { name: /write_file/ }).first()).toBeVisible();
  expect(watch.problems).toEqual([]);
});
