import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FILES = globSync("{app,lib}/**/*.{ts,tsx}", {
  exclude: ["**/*.test.{ts,tsx}", "**/generated/**", "lib/testing/**", "lib/client/**"],
});

/** Ways into what a library has not promised to keep. */
const WAYS = [
  { way: "a Proxy around another's object", found: /\bnew Proxy\(/ },
  { way: "a method replaced in another's prototype", found: /\.prototype\.\w+ = |Object\.assign\(\w+\.prototype/ },
  { way: "Prisma's extensions instead of functions", found: /\.\$extends\(/ },
  { way: "a private field of Prisma or pg", found: /\b(?:client|prisma|pool|database\(\))\._\w+/ },
];

test.each(WAYS)("no code takes $way", ({ found }) => {
  expect(FILES.filter((file) => found.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("each of the ways would be found", () => {
  const taken = [
    "return new Proxy(client, {});",
    "pg.Client.prototype.query = other;",
    "client.$extends({})",
    "client._engineConfig",
  ];
  expect(WAYS.map(({ found }, index) => found.test(taken[index] ?? ""))).toEqual([true, true, true, true]);
});
