import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { automationTabsFor } from "@/components/automations/automation-tabs";
import { TRIGGER_LABELS } from "@/lib/client/triggers/trigger-labels";
import { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { TRIGGER_KINDS, triggerKindOf } from "./trigger-kinds";

const TASK = { name: "Look", prompt: "Look at the build." };
const CONFIGS: Readonly<Record<TriggerNoun, object>> = {
  schedule: { ...TASK, cron: "0 9 * * *" },
  heartbeat: {},
  webhook: { ...TASK, signature: "standard" },
  chat: { channelId: "ch1", channel: "telegram", chatId: "7", chatKind: "direct", sender: "Mia" },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m" });
  const channel = { id: "ch1", kind: "telegram", name: "Lab", agentId: "agent", createdById: "admin" };
  await server.database.channel.create({ data: { ...channel, credentials: "", receives: "long polling" } });
});
afterAll(() => server.close());

function configOf(noun: TriggerNoun): string {
  return JSON.stringify(TRIGGER_KINDS[noun].configSchema.parse(CONFIGS[noun]));
}

/** A trigger as stored; a chat has its link beside it. */
async function addTrigger(noun: TriggerNoun, ownerId: string) {
  const id = `${ownerId}_${noun}`;
  const [kind = ""] = TRIGGER_KINDS[noun].stored;
  const whose = { id, agentId: "agent" };
  if (noun === "chat") {
    const sender = { externalUser: id, externalChat: id, senderName: "Mia", chatName: "@mia", chatKind: "direct" };
    const link = { ...whose, ...sender, userId: ownerId, channelId: "ch1", verifiedAt: new Date() };
    await server.database.channelLink.create({ data: link });
  }
  return server.database.trigger.create({ data: { ...whose, ownerId, kind, name: "Look", config: configOf(noun) } });
}

describe.each(TriggerNoun.options)("a %s", (noun) => {
  const kind = TRIGGER_KINDS[noun];

  test("is found by each kind that its rows have", () => {
    expect(kind.noun).toBe(noun);
    expect(kind.stored.length).toBeGreaterThan(0);
    for (const stored of kind.stored) expect(triggerKindOf({ kind: stored })).toBe(kind);
  });

  test("is described with its agent, in the order of the rows", async () => {
    const first = await addTrigger(noun, "member");
    const second = await addTrigger(noun, "admin");
    const shown = await kind.describe(server.services, [first, second], new Date());
    expect(shown).toMatchObject([
      { id: first.id, agentName: "Coder" },
      { id: second.id, agentName: "Coder" },
    ]);
  });

  test("is planned from its config", () => {
    const [stored = ""] = kind.stored;
    const plan = kind.plan({ id: "trg1", kind: stored, config: configOf(noun) });
    expect(plan).toMatchObject({ on_ask: expect.any(String), deliver: expect.any(Array) });
  });

  test("has a page under Automations that bears its name", () => {
    const { plural, href } = TRIGGER_LABELS[noun];
    expect(automationTabsFor("admin")).toContainEqual(expect.objectContaining({ name: plural, href }));
  });
});

test("no kind of rows belongs to two kinds of triggers", () => {
  const stored = Object.values(TRIGGER_KINDS).flatMap((kind) => kind.stored);
  expect(new Set(stored).size).toBe(stored.length);
});

test("a row of no kind is an error that names it", () => {
  expect(() => triggerKindOf({ kind: "pigeon" })).toThrow("pigeon");
});
