import { expect, test } from "vitest";
import { skillSwitches, withSkills } from "./skill-switches";

test.each([
  [undefined, false, []],
  [{ paths: [], enabled: ["pdf"] }, false, []],
  [{ paths: ["skills"] }, true, []],
  [{ paths: ["skills"], enabled: null }, true, []],
  [{ paths: ["skills"], enabled: ["pdf"] }, false, ["pdf"]],
])("of %j all are on: %s, or by name: %j", (value, isAll, named) => {
  expect(skillSwitches(value)).toEqual({ isAll, named });
});

test("a first skill brings the folder along, and other settings stay", () => {
  expect(withSkills({ mode: "inline" }, ["pdf"])).toEqual({ mode: "inline", paths: ["skills"], enabled: ["pdf"] });
  expect(withSkills({ paths: ["mine"], enabled: ["pdf"] }, null)).toEqual({ paths: ["mine"] });
  expect(withSkills({ paths: ["mine"], enabled: ["pdf"] }, [])).toEqual({ paths: ["mine"], enabled: [] });
});
