import { expect, test } from "vitest";
import type { AuditEntry } from "@/lib/schema/audit";
import { actionLabel, changeLabel, fieldChanges, targetLabel } from "./entry-labels";

const entry: AuditEntry = {
  id: "aud_1",
  at: "2026-11-23T10:00:00.000Z",
  actor: "u1",
  actorName: "Ada",
  action: "user.changed",
  target: "user:u2",
  targetName: "Grace",
  before: { role: "viewer" },
  after: { role: "admin" },
  details: { passwordChanged: true },
  ip: null,
  keyId: null,
  number: 1,
  hash: "ab",
  isErased: false,
  prevHash: "",
};

test.each([
  ["user.changed", "changed a user"],
  ["agent.published", "published an agent"],
  ["api_key.revoked", "revoked an API key"],
  ["mcp_server.created", "created an MCP server"],
  ["session.created", "signed in"],
  ["sessions.ended", "ended all sessions"],
  ["settings.changed", "changed settings"],
  ["odd", "odd"],
])("%s reads %s", (action, words) => expect(actionLabel(action)).toBe(words));

test("a target is called by its name, else by its id", () => {
  expect(targetLabel(entry)).toBe("Grace");
  expect(targetLabel({ ...entry, target: "agent:writer", targetName: null })).toBe("writer");
});

test("the changed fields come first, then the other facts", () => {
  expect(fieldChanges(entry)).toEqual([
    { name: "role", before: "viewer", after: "admin" },
    { name: "passwordChanged", before: undefined, after: "true" },
  ]);
  expect(changeLabel(entry)).toEqual({ before: "role viewer", after: "admin, 1 more" });
});

test("an entry without sides names its first fact", () => {
  const words = changeLabel({ ...entry, before: null, after: null, details: { version: 3 } });
  expect(words).toEqual({ before: null, after: "version 3" });
  expect(changeLabel({ ...entry, before: null, after: { dailyLimit_usd: 3 }, details: {} })?.after).toBe(
    "daily limit usd 3",
  );
  expect(changeLabel({ ...entry, before: null, after: null, details: {} })).toBe(null);
});

test("lists and objects are words, and an empty list is nothing", () => {
  const after = { include: [], prices: [{ model: "m", inputPerMillion: 3 }], note: "" };
  expect(fieldChanges({ ...entry, before: null, after, details: {} }).map(({ after }) => after)).toEqual([
    "nothing",
    "model m, input per million 3",
    "nothing",
  ]);
});
