import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A statement, or a part of one; the drivers' own SQL does not count. */
const RAW =
  /\.raw[<(]|"@\/lib\/server\/platform\/db\/statements"|"@\/lib\/server\/platform\/db\/kysely\/|from "kysely"/;

test("statements stand in platform/db/queries alone", () => {
  const files = globSync("{app,lib,components}/**/*.{ts,tsx}", {
    exclude: ["**/*.test.ts", "**/generated/**", "lib/testing/**", "lib/server/platform/db/{*,kysely/*}.ts"],
  });
  const raw = files.filter((file) => RAW.test(readFileSync(file, "utf8")));
  expect(raw.filter((file) => !file.startsWith("lib/server/platform/db/queries/"))).toEqual([]);
  expect(raw).not.toEqual([]);
});
