import { expect, it } from "vitest";
import { fieldAt, fieldWords } from "./field-words";
import { defaultAt } from "./form-field";
import { FORM_TABS, fieldsOf } from "./form-tabs";

it("has a field of the config behind each of its own", () => {
  const unknown = FORM_TABS.flatMap(fieldsOf)
    .map(({ path }) => path)
    .filter((path) => path[0] !== "name" && defaultAt(path) === undefined);
  expect(unknown).toEqual([]);
});

it("shows no field twice", () => {
  const paths = FORM_TABS.flatMap(fieldsOf).map(({ path }) => path.join("."));
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

it("finds the field of a path, of what is inside it and of what is around it", () => {
  expect(fieldAt(["max_iterations"])?.tab.id).toBe("limits");
  expect(fieldAt(["permissions", "allow", "0", "tool"])?.field.path).toEqual(["permissions", "allow"]);
  expect(fieldAt(["timeouts"])?.tab.id).toBe("limits");
  expect(fieldAt(["mcp_servers"])).toBeNull();
  expect(fieldAt([])).toBeNull();
});

it("calls a field by its words, and one of the YAML alone by its name", () => {
  expect(fieldWords(["max_iterations"])).toBe("Steps of a run");
  expect(fieldWords(["timeouts", "run_ms"])).toBe("Time: a run");
  expect(fieldWords(["team"])).toBe("team");
});
