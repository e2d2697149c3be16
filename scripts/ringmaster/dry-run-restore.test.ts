import { expect, test } from "vitest";
import type { DryRun } from "@/lib/schema/settings/backup";
import { dryRunRestore } from "./dry-run-restore";

const FOUND: DryRun = {
  ok: true,
  problems: [],
  sizeBytes: 1_000,
  files: 4,
  migrations: { missing: 2, unknown: [] },
  secretFits: true,
  facts: { format: "ringmaster.backup", version: "1.2.3", createdAt: "2026-11-23T08:00:00Z", database: "sqlite" },
  counts: { people: 3, agents: 2, threads: 5, runs: 8 },
};

test("says what a good backup has, and asks the server for the path it was given", async () => {
  const asked: unknown[] = [];
  const call = async (...request: unknown[]) => {
    asked.push(request);
    return FOUND;
  };
  const { lines, ok } = await dryRunRestore(call, "/backups/monday.tar.gz");
  expect(asked).toEqual([["POST", "/api/backup/dry-run", { path: "/backups/monday.tar.gz" }]]);
  expect([ok, lines.join(" ")]).toEqual([true, expect.stringMatching(/version 1\.2\.3.*3 people.*2 migrations/)]);
});

test("fails with every reason that speaks against one", async () => {
  const call = async () => ({ ...FOUND, ok: false, problems: ["It is cut.", "It is old."] });
  expect(await dryRunRestore(call, "/b")).toEqual({
    ok: false,
    lines: ["This backup can't be restored as it is.", "It is cut.", "It is old."],
  });
});
