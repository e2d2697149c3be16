import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { setInText } from "./edit-config-text";
import { markLines, mergeDrafts, takeTheirs } from "./merge-drafts";

const BASE = `# ours
name: coder
max_iterations: 20
backend:
  type: local
  network: false
tools: [calculate]
`;

it("joins what two people changed in different fields, with the comments of both", () => {
  const mine = BASE.replace("20", "25 # more");
  const theirs = BASE.replace("tools: [calculate]", "# his\ntools: [calculate, ls]");
  const merged = mergeDrafts({ base: BASE, mine, theirs });
  expect(merged?.conflicts).toEqual([]);
  expect(merged?.taken).toEqual([["tools"]]);
  expect(merged?.text).toBe(
    BASE.replace("20", "25 # more").replace("tools: [calculate]", "# his\ntools: [calculate, ls]"),
  );
});

it("joins neighbours in one mapping field by field", () => {
  const mine = setInText(BASE, ["backend", "network"], true);
  const theirs = setInText(BASE, ["backend", "type"], "state");
  const merged = mergeDrafts({ base: BASE, mine, theirs });
  expect(merged?.conflicts).toEqual([]);
  expect(parse(merged?.text ?? "").backend).toEqual({ type: "state", network: true });
});

it("names the fields that both changed, keeps mine in the text, and takes theirs when that is chosen", () => {
  const mine = setInText(setInText(BASE, ["max_iterations"], 25), ["name"], "me");
  const theirs = setInText(setInText(BASE, ["max_iterations"], 30), ["tools"], []);
  const merged = mergeDrafts({ base: BASE, mine, theirs });
  expect(merged?.conflicts).toEqual([{ path: ["max_iterations"], mine: 25, theirs: 30 }]);
  expect(parse(merged?.text ?? "")).toMatchObject({ name: "me", max_iterations: 25, tools: [] });
  const taken = takeTheirs(merged?.text ?? "", merged?.conflicts ?? []);
  expect(parse(taken)).toMatchObject({ name: "me", max_iterations: 30, tools: [] });
  expect(taken).toContain("# ours");
});

it("takes a removed mapping and a change inside it for one conflict", () => {
  const mine = setInText(BASE, ["backend"], undefined);
  const theirs = setInText(BASE, ["backend", "network"], true);
  expect(mergeDrafts({ base: BASE, mine, theirs })?.conflicts).toEqual([
    { path: ["backend"], mine: undefined, theirs: { type: "local", network: true } },
  ]);
});

it("leaves the choice to a person where a text can't be read", () => {
  expect(mergeDrafts({ base: BASE, mine: "name: [", theirs: BASE.replace("20", "30") })).toBeNull();
  expect(mergeDrafts({ base: BASE, mine: "name: [", theirs: BASE })?.text).toBe("name: [");
});

it("never loses a field that only one person touched", () => {
  const fields = ["name", "description", "max_iterations", "retries", "streaming"] as const;
  const edits = fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.integer(), fc.boolean(), fc.string()));
  fc.assert(
    fc.property(edits, edits, (left, right) => {
      const edit = (changes: Record<string, unknown>) =>
        Object.entries(changes).reduce((text, [key, value]) => setInText(text, [key], value), BASE);
      const merged = mergeDrafts({ base: BASE, mine: edit(left), theirs: edit(right) });
      const base: Record<string, unknown> = parse(BASE);
      const touched = Object.entries(left).filter(([key, value]) => value !== base[key]);
      expect(parse(merged?.text ?? "")).toEqual({ ...base, ...right, ...Object.fromEntries(touched) });
    }),
    { numRuns: 200 },
  );
});

it("marks the lines that are new and those that are not as they were", () => {
  const marks = markLines("a\nb\nc\n", "a\nB\nc\nd\n");
  expect([...marks]).toEqual([
    [2, "changed"],
    [4, "new"],
  ]);
});
