import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  channelSecretPurpose,
  createSecretBox,
  mcpConnectionPurpose,
  mcpSecretPurpose,
  providerKeyPurpose,
  SecretUnreadable,
  toolSecretPurpose,
  VAPID_PURPOSE,
} from "@/lib/server/platform/secrets/secrets";
import { StoredVapid, VAPID_SETTING } from "@/lib/server/triggers/notify/vapid";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { checkSecretCanary } from "./secrets-canary";

const OLD = createSecretBox(["o".repeat(32)]);
const NEW = createSecretBox(["n".repeat(32)]);
const ROTATED = createSecretBox(["n".repeat(32), "o".repeat(32)]);

describe("secret canary", () => {
  let testDatabase: TestDatabase;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
  });

  afterEach(() => testDatabase.close());

  test("passes at the first start and at every later one with the same secret", async () => {
    await checkSecretCanary(testDatabase.database, OLD);
    await expect(checkSecretCanary(testDatabase.database, OLD)).resolves.toBeUndefined();
  });

  test("refuses a start with another secret and says how to fix it", async () => {
    await checkSecretCanary(testDatabase.database, OLD);
    const start = checkSecretCanary(testDatabase.database, NEW);
    await expect(start).rejects.toThrow(SecretUnreadable);
    await expect(start).rejects.toThrow(/RINGMASTER_SECRET/);
  });

  test("moves on to a newer secret, after which the older one may go", async () => {
    await checkSecretCanary(testDatabase.database, OLD);
    await checkSecretCanary(testDatabase.database, ROTATED);
    await expect(checkSecretCanary(testDatabase.database, NEW)).resolves.toBeUndefined();
  });

  test("takes the key of web push along, so that browsers stay subscribed", async () => {
    const { database } = testDatabase;
    await checkSecretCanary(database, OLD);
    const sealed = OLD.encrypt("private", VAPID_PURPOSE);
    await database.setting.create({
      data: { key: VAPID_SETTING, value: JSON.stringify({ publicKey: "public", sealed }) },
    });
    await checkSecretCanary(database, ROTATED);
    const { value } = await database.setting.findUniqueOrThrow({ where: { key: VAPID_SETTING } });
    const stored = StoredVapid.parse(JSON.parse(value));
    expect([stored.publicKey, NEW.decrypt(stored.sealed, VAPID_PURPOSE)]).toEqual(["public", "private"]);
  });

  test("takes the signing secrets of HTTP tools along, but for one that no secret can read", async () => {
    const { database } = testDatabase;
    const purpose = toolSecretPurpose("notify");
    const facts = { description: "", parameters: "{}", callbackUrl: "https://example.com/", createdById: "ada" };
    await checkSecretCanary(database, OLD);
    await database.httpTool.create({
      data: { name: "notify", ...facts, secretEncrypted: OLD.encrypt("shared", purpose) },
    });
    const lost = createSecretBox(["x".repeat(32)]).encrypt("lost", toolSecretPurpose("lost"));
    await database.httpTool.create({ data: { name: "lost", ...facts, secretEncrypted: lost } });
    await checkSecretCanary(database, ROTATED);
    const kept = await database.httpTool.findUniqueOrThrow({ where: { name: "lost" } });
    expect(kept.secretEncrypted).toBe(lost);
    const tool = await database.httpTool.findUniqueOrThrow({ where: { name: "notify" } });
    expect(NEW.decrypt(tool.secretEncrypted ?? "", purpose)).toBe("shared");
  });

  test("takes the keys of providers along, but for one that no secret can read", async () => {
    const { database } = testDatabase;
    const facts = { kind: "openai", name: "", allowedRoles: "[]", createdById: "ada" };
    const lost = createSecretBox(["x".repeat(32)]).encrypt("sk-lost", providerKeyPurpose("lost"));
    await checkSecretCanary(database, OLD);
    const kept = OLD.encrypt("sk-kept", providerKeyPurpose("kept"));
    await database.provider.create({ data: { ...facts, id: "kept", keyEncrypted: kept } });
    await database.provider.create({ data: { ...facts, id: "lost", keyEncrypted: lost } });
    await checkSecretCanary(database, ROTATED);
    const keyOf = async (id: string) => (await database.provider.findUniqueOrThrow({ where: { id } })).keyEncrypted;
    expect(NEW.decrypt((await keyOf("kept")) ?? "", providerKeyPurpose("kept"))).toBe("sk-kept");
    expect(await keyOf("lost")).toBe(lost);
  });

  test("takes the headers and tokens of MCP servers along too", async () => {
    const { database } = testDatabase;
    const purpose = mcpSecretPurpose("github");
    await checkSecretCanary(database, OLD);
    const sealed = {
      id: "github",
      transport: "http",
      createdById: "ada",
      secretsEncrypted: OLD.encrypt("{}", purpose),
    };
    await database.mcpServer.create({ data: sealed });
    await checkSecretCanary(database, ROTATED);
    const server = await database.mcpServer.findUniqueOrThrow({ where: { id: "github" } });
    expect(NEW.decrypt(server.secretsEncrypted ?? "", purpose)).toBe("{}");
  });

  test("takes the credentials of channels along too", async () => {
    const { database } = testDatabase;
    const purpose = channelSecretPurpose("ch_1");
    await checkSecretCanary(database, OLD);
    const facts = { kind: "telegram", name: "Bot", agentId: "default", receives: "polling", createdById: "ada" };
    await database.channel.create({ data: { id: "ch_1", ...facts, credentials: OLD.encrypt("{}", purpose) } });
    await checkSecretCanary(database, ROTATED);
    const { credentials } = await database.channel.findFirstOrThrow();
    expect(NEW.decrypt(credentials, purpose)).toBe("{}");
  });

  test("takes the tokens of connections to MCP servers along too", async () => {
    const { database } = testDatabase;
    const purpose = mcpConnectionPurpose("github", "ada");
    await checkSecretCanary(database, OLD);
    await database.mcpServer.create({ data: { id: "github", transport: "http", createdById: "ada" } });
    const tokens = { serverId: "github", holder: "ada", connectedById: "ada", sealed: OLD.encrypt("{}", purpose) };
    await database.mcpConnection.create({ data: tokens });
    await checkSecretCanary(database, ROTATED);
    const { sealed } = await database.mcpConnection.findFirstOrThrow();
    expect(NEW.decrypt(sealed, purpose)).toBe("{}");
  });
});
