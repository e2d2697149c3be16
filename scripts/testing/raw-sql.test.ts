import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What builds or runs statements. */
const STATEMENTS = /\.raw[<(]|\.\$executeRaw|"@\/lib\/server\/platform\/db\/kysely\/|from "kysely"/;
/** Text that is no statement of Kysely's. */
const TEXT = /(?<!\bsql)\.raw[<(]|\.\$executeRaw|\bsql: `|dialect\.rows\(/;
const QUERIES = "lib/server/platform/db/queries/";

const files = globSync("{app,lib,components}/**/*.{ts,tsx}", {
  exclude: ["**/*.test.ts", "**/generated/**", "lib/testing/**", "lib/server/platform/db/{*,kysely/*}.ts"],
});

test("statements stand in platform/db/queries alone", () => {
  const found = files.filter((file) => STATEMENTS.test(readFileSync(file, "utf8")));
  expect(found.filter((file) => !file.startsWith(QUERIES))).toEqual([]);
  expect(found).not.toEqual([]);
});

test("the statements of platform/db/queries are Kysely's", () => {
  const queries = files.filter((file) => file.startsWith(QUERIES));
  expect(queries.filter((file) => TEXT.test(readFileSync(file, "utf8")))).toEqual([]);
  expect(queries).not.toEqual([]);
});
