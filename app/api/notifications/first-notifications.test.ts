import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as createUser } from "@/app/api/users/route";
import { chosenBy } from "@/lib/server/triggers/notify/preferences";
import { startNotifications } from "@/lib/server/triggers/notify/start-notifications";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as settings } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test("a new person is notified of everything in the page, and nowhere else, at once", async () => {
  await startNotifications(server.services);
  const body = { email: "new@example.org", name: "New", role: "member", password: "a-long-test-password" };
  const { id } = await (await server.call(createUser, { as: "admin", body })).json();
  await expect
    .poll(() => chosenBy(server.services, id)?.preferences.ways.decision)
    .toMatchObject({ page: true, push: false });
  const key = await server.addKey(id, ["read", "chat"]);
  const { ways } = await (await server.call(settings, { key })).json();
  expect(Object.values(ways)).toEqual(
    Array.from({ length: 8 }, () => ({ page: true, push: false, email: false, channel: false })),
  );
});

test("who joined an earlier version and chose nothing is still notified of nothing", async () => {
  const { ways } = await (await server.call(settings, { as: "member" })).json();
  expect(Object.values(ways).some((choice) => (choice as { page: boolean }).page)).toBe(false);
});
