import { expect, test } from "vitest";
import { madeByKeyLabel } from "./made-by-key";

const key = { id: "key_1", name: "ci", expiresAt: null };

test("one sentence says what a key means for what was made with it", () => {
  expect(madeByKeyLabel(null)).toBeNull();
  expect(madeByKeyLabel({ ...key, state: "valid" })).toBe(
    "Made with the API key “ci”: it keeps the key’s limits and budgets, and ends with it.",
  );
  expect(madeByKeyLabel({ ...key, state: "expired" })).toBe(
    "Made with the API key “ci”, which has expired: it starts nothing.",
  );
  expect(madeByKeyLabel({ ...key, name: null, state: "deleted" })).toBe(
    "Made with an API key, which is gone: it starts nothing.",
  );
});
