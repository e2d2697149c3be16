import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { VERSION } from "@/lib/server/platform/version";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { applyMigrations } from "../database/apply-migrations";
import { addMigration, LINKED_OPTIONS, linkProgram } from "../testing/linked-program";

const PROGRAM = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts", "migrate"];
const LAST_STEP = 25;
const KILLED_STEP = 10;
/** Each migration touches what a run is made of. */
const TABLES = ["run", "run_event", "call", "thread"];

test("a run that was killed goes on after an update that was killed too, and no call runs twice", {
  timeout: 110_000,
}, async () => {
  const root = mkdtempSync(path.join(tmpdir(), "ringmaster-killed-run-"));
  const [data, program, effects] = [path.join(root, "data"), path.join(root, "program"), path.join(root, "effects")];
  mkdirSync(data, { mode: 0o700 });
  const url = `file:${path.join(data, "ringmaster.db")}`;
  const runHost = (...words: string[]) => runProcess("lib/testing/processes/killable-host.ts", url, effects, ...words);
  try {
    await applyMigrations(url);
    const before = await openDatabase(url);
    await seedThread(before, { max_iterations: LAST_STEP + 5 });
    await addThread(before, "killed");
    await before.close();
    const killed = await runHost("killed", "write", String(KILLED_STEP));
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });

    linkNextVersion(program);
    expect(await updateWithKills(program, data)).toBeGreaterThan(1);
    expect(await runHost()).toMatchObject({ code: 0, errors: "" });

    const after = await openDatabase(url);
    const run = await after.run.findUniqueOrThrow({ where: { id: killed.output.trim() } });
    await after.close();
    expect(run).toMatchObject({ status: "completed", takeovers: 1, steps: LAST_STEP, errorMessage: null });
    const steps = readFileSync(effects, "utf8").trim().split("\n");
    expect(steps).toEqual(Array.from({ length: LAST_STEP - 1 }, (_, index) => `${run.id} ${index + 1}`));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** The next version of this program, in the new folder `place`. */
function linkNextVersion(place: string): void {
  linkProgram(place);
  for (const [number, table] of TABLES.entries()) {
    const column = `alter table "${table}" add column "later" text;\nupdate "${table}" set "later" = 'now';\n`;
    addMigration(place, "sqlite", `9_later_${number}`, `-- Since ${VERSION}\n${column}`);
  }
}

/** Starts the update again after each kill until it is through; returns how often it was killed. */
async function updateWithKills(program: string, data: string): Promise<number> {
  for (let kills = 0, waitMs = 150; ; waitMs += 150) {
    const child = spawn(process.execPath, [...LINKED_OPTIONS, ...PROGRAM, "--data", data], {
      cwd: program,
      env: { ...process.env, RINGMASTER_NO_DOTENV: "1" },
      stdio: "ignore",
    });
    const ended = once(child, "close");
    await Promise.race([ended, sleep(waitMs)]);
    if (child.exitCode === 0) return kills;
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    kills += 1;
  }
}
