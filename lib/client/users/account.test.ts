import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./account";

test("keeps a path of this site with its query", () => {
  expect(safeNext("/traces?status=failed#top")).toBe("/traces?status=failed#top");
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/.//evil.example/x",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/./\\evil.example",
  "",
  null,
])("does not leave this site for %j", (next) => {
  expect(safeNext(next)).toBe("/");
});

test("does not come back to the sign-in page", () => {
  expect(safeNext("/sign-in?next=/sign-in")).toBe("/");
});

test("whatever it is given, the browser stays on this site", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[./\\%2ea]{0,12}$/)), (text) => {
      expect(new URL(safeNext(`/${text}`), "http://site.test").origin).toBe("http://site.test");
    }),
  );
});
