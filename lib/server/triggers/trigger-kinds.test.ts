import { describe, expect, test } from "vitest";
import { automationTabsFor } from "@/components/automations/automation-tabs";
import { TRIGGER_LABELS } from "@/lib/client/triggers/trigger-labels";
import { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import { TRIGGER_KINDS, triggerKindOf } from "./trigger-kinds";

describe.each(TriggerNoun.options)("a %s", (noun) => {
  const kind = TRIGGER_KINDS[noun];

  test("is found by each kind that its rows have", () => {
    expect(kind.noun).toBe(noun);
    expect(kind.stored.length).toBeGreaterThan(0);
    for (const stored of kind.stored) expect(triggerKindOf({ kind: stored })).toBe(kind);
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
