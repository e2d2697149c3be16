import { expect, it } from "vitest";
import { fieldAt, fieldLabel } from "./field-labels";
import { defaultAt } from "./form-field";
import { EDITOR_TABS, FORM_TABS, fieldsOf, findEditorPart } from "./form-tabs";

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
  expect(fieldLabel(["max_iterations"])).toBe("Max steps");
  expect(fieldLabel(["timeouts", "run_ms"])).toBe("Timeouts: run timeout");
  expect(fieldLabel(["team"])).toBe("team");
});

it("has five tabs, and each part with fields in one of them", () => {
  expect(EDITOR_TABS.map(({ label }) => label)).toEqual(["Basics", "Tools", "Knowledge", "Advanced", "Versions"]);
  const parts = EDITOR_TABS.flatMap((tab) => tab.parts.map(({ id }) => id));
  expect(FORM_TABS.filter(({ id }) => !parts.includes(id))).toEqual([]);
});

it.each([
  ["limits", "advanced", "limits"],
  ["advanced", "advanced", "hooks"],
  ["usage", "versions", "usage"],
  ["prompt", "basics", "basics"],
  ["memory", "knowledge", "knowledge"],
  ["nowhere", "basics", "basics"],
])("opens what the address calls %s, also by the names of earlier tabs", (id, tab, part) => {
  const found = findEditorPart(id);
  expect([found.tab.id, found.part]).toEqual([tab, part]);
});
