import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetPerson } from "@/lib/client/users/browser-person";
import { forgetKept, readKept, writeKept } from "./kept-values";

const OPENED = { name: "", tags: ["a"], agent: null };
const TYPED = { name: "Lab", tags: [], agent: "default" };

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

it("keeps what was typed, and what it was typed on, for a day", () => {
  writeKept("a", { base: OPENED, typed: TYPED });
  vi.setSystemTime(86_400_000);
  expect(readKept("a", OPENED)).toMatchObject({ base: OPENED, typed: TYPED });
  vi.setSystemTime(86_400_001);
  expect(readKept("other", OPENED)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

it("forgets a text that was sent, and every text as the person signs out", () => {
  for (const subject of ["a", "b"]) writeKept(subject, { base: OPENED, typed: TYPED });
  forgetKept("a");
  expect([readKept("a", OPENED), readKept("b", OPENED)]).toEqual([null, expect.anything()]);
  forgetPerson();
  expect(readKept("b", OPENED)).toBeNull();
});

it.each([
  ["another field", { ...TYPED, more: "" }],
  ["a field less", { name: "Lab", tags: [] }],
  ["a field of another kind", { ...TYPED, tags: "a" }],
])("ignores what a form of another version kept: %s", (_, typed) => {
  writeKept("a", { base: OPENED, typed });
  expect(readKept("a", OPENED)).toBeNull();
});

it("ignores what is no form", () => {
  sessionStorage.setItem("ringmaster-form:a", "{");
  expect(readKept("a", OPENED)).toBeNull();
});
