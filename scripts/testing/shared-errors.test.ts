import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CLASS =
  /^export (?:abstract )?class (\w+) extends (\w+) \{(?:\s*static override readonly kind(?:: string)? = "(\w+)")?/gm;

/** Every exported class of an error in what the server runs: Next loads that code several times. */
const classes = globSync("lib/**/*.ts", { exclude: ["lib/{api-client,client}/**", "**/*.test.ts"] }).flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(CLASS)].map(([, name = "", base = "", kind]) => ({ path, name, base, kind })),
);

test("exported errors are shared ones, so that instanceof holds between the copies that Next loads", () => {
  const own = classes.filter(({ path, base }) => base === "Error" && !path.endsWith("shared-error.ts"));
  expect(own.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("each shared error declares its own name as its kind, and no two the same", () => {
  const shared = new Set(["SharedError"]);
  for (let size = 0; size !== shared.size; ) {
    size = shared.size;
    for (const { name, base } of classes) if (shared.has(base)) shared.add(name);
  }
  const errors = classes.filter(({ base }) => shared.has(base));
  expect(errors.length).toBeGreaterThan(20);
  expect(errors.filter(({ name, kind }) => name !== kind).map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  expect(new Set(errors.map(({ name }) => name)).size).toBe(errors.length);
});
