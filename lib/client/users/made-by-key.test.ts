import { expect, test } from "vitest";
import { madeByKeyWords } from "./made-by-key";

const key = { id: "key_1", name: "ci", expiresAt: null };

test("one sentence says what a key means for what was made with it", () => {
  expect(madeByKeyWords(null)).toBeNull();
  expect(madeByKeyWords({ ...key, state: "valid" })).toBe(
    "Made with the API key “ci”: it keeps the key’s limits and budgets, and ends with it.",
  );
  expect(madeByKeyWords({ ...key, state: "expired" })).toBe(
    "Made with the API key “ci”, which has expired: it starts nothing.",
  );
  expect(madeByKeyWords({ ...key, name: null, state: "deleted" })).toBe(
    "Made with an API key, which is gone: it starts nothing.",
  );
});
