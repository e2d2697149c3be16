import pg from "pg";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";

/** Ends the connections to the database at `url`, as an administrator or a server restart would. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

test("connections that the server ends while idle are opened again", async () => {
  const { database, url, close } = await createTestDatabase();
  await Promise.all([database.raw("select 1"), database.raw("select 2")]);
  await endConnections(url);
  await vi.waitFor(() => database.raw("select 1"), 30_000);
  expect(await database.user.count()).toBe(0);
  await close();
});

test("connections that the server ends while they are being closed are simply closed", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { database, url, close } = await createTestDatabase();
    await Promise.all(Array.from({ length: 10 }, () => database.user.count()));
    const ended = endConnections(url);
    await Promise.all([ended, close()]);
  }
});
