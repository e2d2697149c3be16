import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("no two journeys add an agent of the same id: those of a worker share a server", () => {
  const specs = readdirSync("e2e").filter((file) => file.endsWith(".spec.ts"));
  const ids = specs.flatMap((file) => {
    const text = readFileSync(path.join("e2e", file), "utf8");
    return [...text.matchAll(/\.addAgent\(\s*"([^"]+)"/g)].map(([, id]) => id);
  });
  expect(ids.length).toBeGreaterThan(20);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
