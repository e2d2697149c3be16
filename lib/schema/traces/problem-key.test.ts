import fc from "fast-check";
import { expect, test } from "vitest";
import { callProblemKey, normalizeProblem, runProblemKey } from "./problem-key";

test.each([
  ["No file /srv/a/b.txt after 12 s", "No file srv/c.md after 3 s"],
  [`unknown column "age" in call_81ab`, `unknown column "name" in call_90ff`],
  ["GET https://a.test/x?id=7 gave 503", "GET http://other.test/y gave 500"],
  ["mail to ada@example.test bounced", "mail to bob@elsewhere.test bounced"],
  ["at 2026-11-28T12:00:00Z it stopped", "at 2025-01-02T03:04:05Z it stopped"],
])("%s is the same problem as %s", (left, right) => {
  expect(normalizeProblem(left)).toBe(normalizeProblem(right));
});

test("different sentences, tools and codes stay different problems", () => {
  expect(normalizeProblem("The file is gone.")).not.toBe(normalizeProblem("The folder is gone."));
  expect(callProblemKey("ls", "no")).not.toBe(callProblemKey("grep", "no"));
  const failed = { errorCode: "provider_error", model: "a:m", message: 'Model "x" is overloaded' };
  expect(runProblemKey(failed)).not.toBe(runProblemKey({ ...failed, message: 'Model "y" is overloaded' }));
  expect(runProblemKey(failed)).not.toBe(runProblemKey({ ...failed, model: "b:m" }));
});

test("an apostrophe is no quotation mark", () => {
  expect(normalizeProblem("It doesn't work and isn't there")).toBe("It doesn't work and isn't there");
});

const texts = fc.oneof(fc.string({ unit: "binary" }), fc.lorem(), fc.webUrl(), fc.emailAddress(), fc.uuid());

test("normalising is idempotent, bounded and removes every number", () => {
  fc.assert(
    fc.property(fc.array(texts), fc.boolean(), (parts, keepQuoted) => {
      const once = normalizeProblem(parts.join(" "), { keepQuoted });
      expect(normalizeProblem(once, { keepQuoted })).toBe(once);
      expect(once.length).toBeLessThanOrEqual(300);
      expect(once).not.toMatch(/[0-9]/);
    }),
  );
});

test("any number, id or path in the same sentence gives the same key", () => {
  const path = fc.stringMatching(/^\/[a-z]{1,8}\/[a-z]{1,8}\.txt$/);
  fc.assert(
    fc.property(fc.nat(), fc.uuid(), path, (number, id, file) => {
      expect(callProblemKey("read_file", `Line ${number} of ${file} in ${id} is missing.`)).toBe(
        callProblemKey("read_file", "Line 1 of /a/b.txt in 7d9f2f6e-0000-4000-8000-000000000000 is missing."),
      );
    }),
  );
});

test("a text is never cut within a character", () => {
  const cut = normalizeProblem(`${"a ".repeat(149)}a𐀀`);
  expect(cut.isWellFormed()).toBe(true);
  expect(normalizeProblem(cut)).toBe(cut);
});

test("a text of a megabyte costs no more than its beginning", () => {
  expect(normalizeProblem("a/".repeat(500_000)).length).toBeLessThanOrEqual(300);
});
