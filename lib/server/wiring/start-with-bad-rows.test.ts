import { afterEach, beforeEach, expect, test } from "vitest";
import { outgoingWebhooks, startOutgoingWebhooks } from "@/lib/server/engine/outgoing/outgoing-webhooks";
import { modelRegistry, startProviders } from "@/lib/server/providers/models";
import { startNotifications } from "@/lib/server/triggers/notify/start-notifications";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { limitOldKeys } from "./limit-old-keys";
import { announceStart } from "./start-context";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test("a provider whose row cannot be read is missing alone", async () => {
  const facts = { name: "P", kind: "openai", createdById: "admin", allowedRoles: '["admin"]' };
  for (const own of [
    { id: "whole" },
    { id: "kind", kind: "abacus" },
    { id: "roles", allowedRoles: "{broken" },
    { id: "models", models: '[{"id": 5}]' },
    { id: "dialect", dialect: "Latin" },
  ]) {
    await server.database.provider.create({ data: { ...facts, ...own } });
  }
  await startProviders(server.services);
  const own = modelRegistry(server.services).providers();
  expect(own.map(({ id }) => id)).toEqual(["whole", "demo"]);
});

test.each(["learned-traits", "provider-refusals", "default-fallbacks"])(
  "the setting %s is as if it were not there if it cannot be read",
  async (key) => {
    await server.database.setting.create({ data: { key, value: "{broken" } });
    await startProviders(server.services);
    expect(modelRegistry(server.services).providers()).not.toEqual([]);
  },
);

test("webhooks, people's choices and keys that cannot be read hold up neither the start nor the others", async () => {
  const { database } = server;
  for (const [id, events] of [
    ["bad", "{broken"],
    ["odd", '["run.levitated"]'],
    ["whole", '["run.failed"]'],
  ] as const) {
    await database.webhook.create({
      data: { id, events, name: id, url: "https://example.test", createdById: "admin" },
    });
  }
  await startOutgoingWebhooks(database);
  expect(outgoingWebhooks().map(({ id }) => id)).toEqual(["whole"]);
  await database.notificationChoice.create({
    data: { userId: "admin", choices: "{broken", isOn: true, updatedAt: new Date() },
  });
  await startNotifications(servicesOf(database));
  for (const [id, scopes] of [
    ["key_a", '["admin", "levitate"]'],
    ["key_b", '["admin"]'],
  ] as const) {
    const owned = { userId: "admin", prefix: id, agents: '["k1"]', name: id, sha256: hashKey(id) };
    await database.apiKey.create({ data: { id, scopes, ...owned } });
  }
  await limitOldKeys(database);
  expect(await database.apiKey.findUnique({ where: { id: "key_b" } })).toMatchObject({ scopes: '["read","chat"]' });
});

test("an agent whose version cannot be read is missing alone from what the start announces", async () => {
  await server.database.agent.create({
    data: { id: "bad", versions: { create: { id: "av_bad", number: 1, config: "{broken", configHash: "x" } } },
  });
  await server.database.agent.update({ where: { id: "bad" }, data: { currentVersionId: "av_bad" } });
  await expect(announceStart(server.services)).resolves.toBeUndefined();
});
