import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { Verdict } from "./judge-pattern";

const FILE = path.join(import.meta.dirname, "verdicts.json");

/** The verdicts that are known, by the hash of the pattern. */
export function readVerdicts(): Readonly<Record<string, Verdict>> {
  return z.record(z.string(), Verdict).parse(JSON.parse(readFileSync(FILE, "utf8")));
}

export function writeVerdicts(verdicts: Readonly<Record<string, Verdict>>): void {
  const sorted = Object.entries(verdicts).toSorted(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
