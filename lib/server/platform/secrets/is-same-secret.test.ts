import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSameSecret } from "./is-same-secret";

test.each([
  ["secret", "secret", true],
  ["secret", "secreT", false],
  ["", "secret", false],
  ["sécret", "secret", false],
  ["secreÿ", "secret", false],
  ["\u0000ecret", "secret", false],
  ["s".repeat(100_000), "secret", false],
])("%j and %j: %s", (given, expected, isSame) => {
  expect(isSameSecret(given, expected)).toBe(isSame);
});

test("nothing else compares secrets by hand", () => {
  const files = globSync("{app,lib}/**/*.ts", { exclude: ["**/generated/**", "**/*.test.ts", "lib/testing/**"] });
  const users = files.filter((file) => readFileSync(file, "utf8").includes("timingSafeEqual"));
  expect(users).toEqual(["lib/server/platform/secrets/is-same-secret.ts"]);
});
