import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { guideAt, hintAt } from "./field-hints";
import { FORM_TABS, fieldsOf } from "./form-tabs";

const fields = FORM_TABS.flatMap(fieldsOf);

test("each field has a hint of one sentence, once", () => {
  const without = fields.filter(({ path, help }) => (help ?? hintAt(path)) === undefined);
  expect(without.map(({ path }) => path.join("."))).toEqual([]);
  const twice = fields.filter(({ path, help }) => help !== undefined && hintAt(path) !== undefined);
  for (const { path, help } of fields) expect(help ?? hintAt(path)).toMatch(/^\S.* .*\.$/);
  expect(twice.map(({ path }) => path.join("."))).toEqual([]);
});

test("each field leads to a page of the guide that is there", () => {
  const pages = new Set(fields.map(({ path }) => guideAt(path).replace(/#.*/, "")));
  for (const page of pages) expect(existsSync(`docs${page}.md`), page).toBe(true);
});
