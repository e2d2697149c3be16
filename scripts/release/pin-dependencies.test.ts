import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Lock, pinDependencies } from "./pin-dependencies";

const lock = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const manifest = { name: "ringmaster", version: "1.0.0", dependencies: { ai: "7.0.173", "better-auth": "1.7.25" } };

/** A lock with these packages: the versions by place, and what each needs. */
function lockOf(packages: Record<string, Record<string, unknown>>) {
  const entries = Object.entries(packages).map(([place, facts]) => [place, { version: "1.0.0", ...facts }]);
  return Lock.parse({ lockfileVersion: 3, packages: Object.fromEntries(entries) });
}
const pinned = (packages: Record<string, Record<string, unknown>>, dependencies: Record<string, string>) =>
  pinDependencies(lockOf(packages), { ...manifest, dependencies }).packages as Record<string, unknown>;

test("all that a dependency needs is pinned as the lock has it, and nothing else", () => {
  const { packages } = pinDependencies(lock, manifest);
  const places = Object.keys(packages);
  expect(places).toContain("node_modules/@ai-sdk/provider-utils");
  expect(places).toContain("node_modules/zod");
  for (const unneeded of ["vitest", "next", "react", "typescript"]) {
    expect(places).not.toContain(`node_modules/${unneeded}`);
  }
  for (const [place, entry] of Object.entries(packages)) {
    if (place === "") continue;
    expect(entry, place).toMatchObject({
      version: lock.packages[place]?.version,
      integrity: lock.packages[place]?.integrity,
    });
    expect(entry, place).not.toHaveProperty("dev");
  }
});

test("a package is pinned where its dependents find it", () => {
  const packages = {
    "node_modules/a": { dependencies: { b: "^1.0.0" } },
    "node_modules/a/node_modules/b": { version: "1.2.0", dependencies: { c: "^1.0.0" } },
    "node_modules/b": { version: "2.0.0" },
    "node_modules/c": {},
  };
  expect(Object.keys(pinned(packages, { a: "1.0.0" }))).toEqual([
    "",
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/c",
  ]);
});

test("what only some platforms need is pinned for all, as optional", () => {
  const packages = {
    "node_modules/a": { optionalDependencies: { "a-linux": "1.0.0", "a-darwin": "1.0.0" } },
    "node_modules/a-darwin": { os: ["darwin"], optional: true },
    "node_modules/a-linux": { os: ["linux"], optional: true },
  };
  expect(pinned(packages, { a: "1.0.0" })).toMatchObject({
    "node_modules/a-darwin": { os: ["darwin"], optional: true },
    "node_modules/a-linux": { os: ["linux"], optional: true },
  });
});

test("the manifest names the exact versions of what is there once", () => {
  const packages = {
    "node_modules/a": { dependencies: { b: "^1.0.0", c: "^1.0.0" }, optionalDependencies: { d: "*" } },
    "node_modules/a/node_modules/c": { version: "1.9.0" },
    "node_modules/b": { version: "1.2.0" },
    "node_modules/d": { version: "3.0.0" },
  };
  expect(pinned(packages, { a: "1.0.0" })[""]).toMatchObject({
    dependencies: { a: "1.0.0", b: "1.2.0" },
    optionalDependencies: { d: "3.0.0" },
  });
});

test("required peers are pinned, optional ones are not", () => {
  const peers = { peerDependencies: { p: "1", q: "1" }, peerDependenciesMeta: { q: { optional: true } } };
  const packages = { "node_modules/a": peers, "node_modules/p": { peer: true }, "node_modules/q": {} };
  expect(Object.keys(pinned(packages, { a: "1.0.0" }))).toEqual(["", "node_modules/a", "node_modules/p"]);
});

test("a lock that lacks a package is refused", () => {
  expect(() => pinned({ "node_modules/a": { dependencies: { b: "1" } } }, { a: "1.0.0" })).toThrow("lacks b");
});
