import { afterEach, beforeEach, expect, test } from "vitest";
import { receiveNotification } from "@/lib/server/engine/log/signals";
import { createSecretBox, providerKeyPurpose, secretBox } from "@/lib/server/platform/secrets/secrets";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { modelRegistry, startProviders, whenProvidersAreLoaded } from "./models";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

function addRow(id: string, keyEncrypted: string | null = null) {
  const facts = { kind: "openai", name: id, createdById: "admin", allowedRoles: '["admin"]' };
  return server.database.provider.create({ data: { id, keyEncrypted, ...facts } });
}

const ids = () =>
  modelRegistry(server.services)
    .providers()
    .map(({ id }) => id);

test("what another process has added is used from the next run on", async () => {
  await startProviders(server.services);
  await addRow("elsewhere");
  expect(ids()).toEqual(["demo"]);
  receiveNotification({ type: "providers" });
  await whenProvidersAreLoaded(server.services);
  expect(ids()).toEqual(["elsewhere", "demo"]);
});

test("a key that no secret can read stops its provider alone, which says what to do", async () => {
  const foreign = createSecretBox(["x".repeat(32)]).encrypt("sk-lost", providerKeyPurpose("lost"));
  await addRow("lost", foreign);
  await addRow("kept", secretBox().encrypt("sk-kept", providerKeyPurpose("kept")));
  await startProviders(server.services);
  expect(modelRegistry(server.services).problemOf("lost:m", "fail")).toMatch(
    /encrypted with another secret\. Enter the key again/,
  );
  expect(modelRegistry(server.services).problemOf("kept:m", "fail")).toBeNull();
});
