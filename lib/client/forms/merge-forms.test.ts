import { expect, it } from "vitest";
import { conflictText, mergeForms } from "./merge-forms";

it("puts what was typed on top of what another person has saved, and names what both have changed", () => {
  const base = { url: "https://a.org/", clientId: "one", token: "" };
  const typed = { ...base, url: "https://mine.org/", token: "t" };
  const theirs = { ...base, url: "https://theirs.org/", clientId: "two" };
  expect(mergeForms(base, typed, theirs)).toEqual({
    form: { url: "https://mine.org/", clientId: "two", token: "t" },
    overlaps: ["url"],
  });
  expect(mergeForms(base, typed, { ...base, url: typed.url }).overlaps).toEqual([]);
});

it("says whether both changes fit, or which do not", () => {
  expect(conflictText("weather", 0)).toMatch(/has both changes: save again/);
  expect(conflictText("weather", 1)).toMatch(/theirs stands below: save again to keep yours/);
});
