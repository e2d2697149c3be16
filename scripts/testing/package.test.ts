import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ dependencies: names, devDependencies: names, overrides: names });
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().default(false),
      dependencies: names,
      optionalDependencies: names,
    }),
  ),
});

const manifest = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
const { packages } = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides };
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

describe("package.json", () => {
  test("names exact versions of the registry only", () => {
    expect(Object.entries(wanted).filter(([, version]) => !EXACT.test(version))).toEqual([]);
  });

  test("has in its lock what it names", () => {
    const direct = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, version] of Object.entries(direct)) {
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});

describe("package-lock.json", () => {
  test("has no folder or file stand in for a package", () => {
    const ours = Object.entries(packages).filter(([place, { resolved = "", link }]) => {
      return place !== "" && (link || !place.startsWith("node_modules/") || /^(?:file:|\.|\/)/.test(resolved));
    });
    expect(ours).toEqual([]);
  });

  test("has an entry for every optional dependency, or npm ci dies on other machines", () => {
    const missing = Object.entries(packages).flatMap(([place, entry]) =>
      Object.keys(entry.optionalDependencies).filter((name) => resolve(place, name) === null),
    );
    expect(missing).toEqual([]);
  });

  test("holds each AI SDK package once and in the line of AI SDK 7", () => {
    const places = Object.keys(packages).filter((place) => /node_modules\/(?:ai|@ai-sdk\/[\w-]+)$/.test(place));
    expect(places.filter((place) => place.lastIndexOf("node_modules/") > 0)).toEqual([]);
    const majors = places.map((place) => [
      place.slice("node_modules/".length),
      Number.parseInt(packages[place]?.version ?? "", 10),
    ]);
    expect(Object.fromEntries(majors)).toMatchObject({
      ai: 7,
      "@ai-sdk/provider": 4,
      "@ai-sdk/provider-utils": 5,
      "@ai-sdk/openai": 4,
      "@ai-sdk/anthropic": 4,
      "@ai-sdk/google": 4,
      "@ai-sdk/openai-compatible": 3,
    });
  });
});

/** Where Node would resolve `name` for the package at `place`. */
function resolve(place: string, name: string): string | null {
  for (let base = place; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const candidate = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (base === "") return null;
  }
}
