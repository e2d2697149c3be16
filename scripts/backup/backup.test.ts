import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { copyTree } from "@/lib/server/files/copy-tree";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { openDatabase } from "@/lib/server/platform/db/database";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations } from "../database/apply-migrations";
import { backUp } from "./backup";
import { restore } from "./restore";
import { beginRestore, describeHalfRestore, MARK } from "./restore-mark";

let directory: string;
const at = (...names: string[]) => path.join(directory, ...names);
const installation = (name: string) => ({
  dataDirectory: at(name),
  databaseUrl: `file:${at(name, "ringmaster.db")}`,
});

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-backup-"));
  mkdirSync(at("data", "workspaces", "a"), { recursive: true });
  writeFileSync(at("data", "secret"), "the-secret-of-this-installation");
  writeFileSync(at("data", "workspaces", "a", "note.txt"), "hello", { mode: 0o640 });
  symlinkSync("/etc/passwd", at("data", "workspaces", "a", "link"));
  mkdirSync(at("data", "extensions"));
  writeFileSync(at("data", "extensions", "greet.ts"), "export default 1;");
  await applyMigrations(installation("data").databaseUrl);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const addSetting = (key: string) => `insert into "setting" ("key", "value", "updatedAt") values ('${key}', 'x', 0)`;
/** Besides the version of the schema, which every database has. */
const settings = (name: string) => {
  const file = name.endsWith(".db") ? name : path.join(name, "ringmaster.db");
  const connection = new Connection(at(file), { readonly: true });
  const keys = connection.prepare(`select "key" from "setting" where "key" <> 'schema' order by "key"`).pluck().all();
  connection.close();
  return keys;
};

/** Everything in the data directory. */
const places = () => readdirSync(at("data"), { recursive: true, encoding: "utf8" }).toSorted();

test("a backup taken while the server writes has what was stored until then, and can be restored elsewhere", async () => {
  const live = await openDatabase(installation("data").databaseUrl);
  lockDataDirectory(at("data"));
  await live.raw(addSetting("1 before"), [], "full");
  const during = Promise.all(Array.from({ length: 50 }, (_, index) => live.raw(addSetting(`2 during ${index}`))));
  await backUp(installation("data"), at("backup"));
  await during;
  await live.raw(addSetting("3 after"));
  await live.close();
  unlockDataDirectory(at("data"));

  expect(await restore(installation("elsewhere"), at("backup"))).toBe(null);
  expect(settings("elsewhere")).toEqual(expect.arrayContaining(["1 before"]));
  expect(settings("elsewhere")).not.toContain("3 after");
  expect(readFileSync(at("elsewhere", "secret"), "utf8")).toBe("the-secret-of-this-installation");
  expect(readFileSync(at("elsewhere", "workspaces", "a", "note.txt"), "utf8")).toBe("hello");
  expect(readFileSync(at("elsewhere", "extensions", "greet.ts"), "utf8")).toBe("export default 1;");
  expect(lstatSync(at("elsewhere", "workspaces", "a", "link")).isSymbolicLink()).toBe(true);
  expect(await applyMigrations(installation("elsewhere").databaseUrl)).toEqual([]);
});

test("restoring moves aside what was there and loses nothing", async () => {
  await backUp(installation("data"), at("backup"));
  const live = await openDatabase(installation("data").databaseUrl);
  await live.raw(addSetting("later"), [], "full");
  await live.close();
  const aside = await restore(installation("data"), at("backup"), new Date("2026-11-22T06:00:00Z"));
  expect(aside).toBe(at("data", "before-restore-2026-11-22T060000000Z"));
  expect(settings("data")).toEqual([]);
  expect(settings(path.join("data", "before-restore-2026-11-22T060000000Z"))).toEqual(["later"]);
});

test("a restore never moves anything over what another one has moved aside", async () => {
  await backUp(installation("data"), at("backup"));
  const now = new Date("2026-11-22T06:00:00.123Z");
  const aside = (await restore(installation("data"), at("backup"), now)) ?? "";
  writeFileSync(path.join(aside, "secret"), "the original");
  const before = places();
  await expect(restore(installation("data"), at("backup"), now)).rejects.toThrow(/before-restore-.* already exists/);
  expect(places()).toEqual(before);
  expect(readFileSync(path.join(aside, "secret"), "utf8")).toBe("the original");
  expect(await restore(installation("data"), at("backup"), new Date(now.getTime() + 1))).not.toBe(aside);
});

test("a database elsewhere is not moved over one in a folder of the data directory", async () => {
  const elsewhere = { dataDirectory: at("data"), databaseUrl: `file:${at("elsewhere", "ringmaster.db")}` };
  mkdirSync(at("elsewhere"));
  await applyMigrations(elsewhere.databaseUrl);
  await backUp(elsewhere, at("backup"));
  mkdirSync(at("data", "database"));
  writeFileSync(at("data", "database", "ringmaster.db"), "an old one");
  const aside = (await restore(elsewhere, at("backup"))) ?? "";
  expect(readFileSync(path.join(aside, "database", "ringmaster.db"), "utf8")).toBe("an old one");
  const databases = readdirSync(aside, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("ringmaster.db"),
  );
  expect(databases).toHaveLength(3);
});

test("a backup that is in the data directory is restored, and stays where it is", async () => {
  await backUp(installation("data"), at("data", "backups", "monday"));
  writeFileSync(at("data", "secret"), "another-secret");
  await restore(installation("data"), at("data", "backups", "monday"));
  expect(readFileSync(at("data", "secret"), "utf8")).toBe("the-secret-of-this-installation");
  expect(existsSync(at("data", "backups", "monday", "ringmaster.db"))).toBe(true);
});

test("a restore that fails puts back what it had moved aside", async () => {
  await backUp(installation("data"), at("backup"));
  writeFileSync(at("data", "secret"), "another-secret");
  rmSync(at("data", "workspaces"), { recursive: true });
  writeFileSync(at("file"), "in the way");
  const broken = { dataDirectory: at("data"), databaseUrl: `file:${at("file", "ringmaster.db")}` };
  await expect(restore(broken, at("backup"))).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(readFileSync(at("data", "secret"), "utf8")).toBe("another-secret");
  expect(readdirSync(at("data"))).toContain("ringmaster.db");
  expect(readdirSync(at("data")).filter((name) => /^(before-restore-|workspaces)/.test(name))).toEqual([]);
});

/** The program's command on the data; `options` are Node's. */
function command(words: readonly string[], options: readonly string[] = []) {
  const program = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];
  const env = { ...process.env, RINGMASTER_NO_DOTENV: "1", PORT: "0" };
  return spawnSync(process.execPath, [...options, ...program, ...words, "--data", at("data")], {
    env,
    encoding: "utf8",
  });
}

/** A module that kills the process before the renaming that `dies` (of the place that is renamed) finds. */
const killedAt = (dies: string) =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
  const { renameSync } = fs; let renamed = 0; const dies = ${dies};
  fs.renameSync = (...places) => { if (dies(places[0])) process.kill(process.pid, "SIGKILL"); return renameSync(...places); };
  syncBuiltinESMExports();`)}`;
/** Between the first entry that is moved and the second. */
const KILLED_BETWEEN = killedAt("(place) => !place.includes('.restore-') && ++renamed === 2");
/** While the mark is written. */
const KILLED_AT_MARK = killedAt("(place) => place.includes('.restore-')");

test("after a restore that was interrupted nothing starts there until it is repeated, and what was there is kept", async () => {
  await backUp(installation("data"), at("backup"));
  const live = await openDatabase(installation("data").databaseUrl);
  await live.raw(addSetting("later"), [], "full");
  await live.close();
  expect(command(["restore", at("backup")], ["--import", KILLED_BETWEEN]).signal).toBe("SIGKILL");
  const inTheWay = { dataDirectory: at("data"), databaseUrl: `file:${at("backup", "secret", "ringmaster.db")}` };
  await expect(restore(inTheWay, at("backup"))).rejects.toThrow(/EEXIST|ENOTDIR/);

  for (const words of [["start"], ["migrate"], ["rollback"], ["backup", at("other")]]) {
    const { status, stderr } = command(words);
    const advice = expect.stringMatching(
      /: a restore into .* was interrupted\. Run .*restore .*backup.* again\. Or put back/,
    );
    expect([words, status, stderr]).toEqual([words, 1, advice]);
  }
  expect(JSON.parse(command(["doctor", "--json"]).stdout).checks).toContainEqual(
    expect.objectContaining({ state: "broken", detail: expect.stringContaining("was interrupted") }),
  );
  await restore(installation("data"), at("backup"), new Date("2026-11-22T06:00:00Z"));
  expect(settings("data")).toEqual([]);
  expect(command(["migrate"]).status).toBe(0);
  const kept = places().filter((name) => /^before-restore-[^/]+\/ringmaster\.db$/.test(name));
  expect(kept.flatMap((name) => settings(path.join("data", name)))).toEqual(["later"]);
});

test("an interrupted restore is to be repeated with the backup that was named last", async () => {
  await backUp(installation("data"), at("first"));
  await backUp(installation("data"), at("second"));
  const interrupt = (name: string, how = KILLED_BETWEEN) =>
    expect(command(["restore", at(name)], ["--import", how]).signal).toBe("SIGKILL");
  interrupt("first", KILLED_AT_MARK);
  expect(describeHalfRestore(at("data"))).toBe(null);
  interrupt("first");
  interrupt("second", KILLED_AT_MARK);
  expect(describeHalfRestore(at("data"))).toContain(`restore ${at("first")}`);
  interrupt("second");
  expect(describeHalfRestore(at("data"))).toContain(`restore ${at("second")}`);

  await restore(installation("data"), at("second"));
  expect(readdirSync(at("data")).filter((name) => name.startsWith(".restore-"))).toEqual([]);
});

test("a mark that can't be written leaves the one of before", async () => {
  mkdirSync(at("data", `${MARK}.new`));
  expect(() => beginRestore(at("data"), at("first"))).toThrow(/EISDIR/);
  expect(describeHalfRestore(at("data"))).toBe(null);
  rmSync(at("data", `${MARK}.new`), { recursive: true });
  beginRestore(at("data"), at("first"));
  mkdirSync(at("data", `${MARK}.new`));
  expect(() => beginRestore(at("data"), at("second"))).toThrow(/EISDIR/);
  expect(describeHalfRestore(at("data"))).toContain(`restore ${at("first")}`);
});

test("whoever may read the data directory reads which backup was being restored, and otherwise that one was", () => {
  beginRestore(at("data"), at("backup"));
  expect(statSync(at("data", MARK)).mode & 0o777).toBe(0o666 & ~0o022 & ~process.umask());
  rmSync(at("data", MARK));
  mkdirSync(at("data", MARK));
  expect(describeHalfRestore(at("data"))).toMatch(/was interrupted\. Run .*restore <backup>.* again/);
});

test("a restore that fails leaves no mark", async () => {
  await backUp(installation("data"), at("backup"));
  const broken = { dataDirectory: at("data"), databaseUrl: `file:${at("data", "secret", "ringmaster.db")}` };
  await expect(restore(broken, at("backup"))).rejects.toThrow();
  expect(command(["migrate"]).status).toBe(0);
});

test.skipIf(!requireMachine("linux"))("a database on another file system is moved aside too", async () => {
  const elsewhere = mkdtempSync("/dev/shm/ringmaster-backup-");
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  const file = path.join(elsewhere, "ringmaster.db");
  const split = { dataDirectory: at("data"), databaseUrl: `file:${file}` };
  await applyMigrations(split.databaseUrl);
  await backUp(split, at("backup"));
  writeFileSync(file, "broken");
  const aside = await restore(split, at("backup"));
  expect(new Connection(file, { readonly: true }).pragma("quick_check", { simple: true })).toBe("ok");
  expect(readFileSync(path.join(aside ?? "", "database", "ringmaster.db"), "utf8")).toBe("broken");
  expect(existsSync(path.join(aside ?? "", "ringmaster.db"))).toBe(true);
});

test("a database in a folder of the data directory is restored there", async () => {
  const nested = { dataDirectory: at("data"), databaseUrl: `file:${at("data", "db", "main.db")}` };
  mkdirSync(at("data", "db"));
  await applyMigrations(nested.databaseUrl);
  await backUp(nested, at("backup"));
  writeFileSync(at("data", "db", "main.db"), "broken");
  const aside = await restore(nested, at("backup"));
  expect(settings(path.join("data", "db", "main.db"))).toEqual([]);
  expect(readFileSync(path.join(aside ?? "", "db", "main.db"), "utf8")).toBe("broken");
});

test.each([
  ["the data directory itself", ["data"]],
  ["a folder around it", ["."]],
  ["a folder of the workspaces", ["data", "workspaces", "backup"]],
])("%s is not restored from", async (_, names) => {
  mkdirSync(at(...names), { recursive: true });
  await expect(restore(installation("data"), at(...names))).rejects.toThrow(/Move the backup elsewhere first/);
  expect(existsSync(at("data", "ringmaster.db"))).toBe(true);
});

test("a backup of the workspaces into themselves is refused", async () => {
  await expect(backUp(installation("data"), at("data", "workspaces", "backup"))).rejects.toThrow(/another folder/);
  expect(readdirSync(at("data", "workspaces"))).toEqual(["a"]);
});

test("nothing is restored under a running server", async () => {
  await backUp(installation("data"), at("backup"));
  const other = new Connection(at("data", "lock"));
  other.exec("begin exclusive");
  await expect(restore(installation("data"), at("backup"))).rejects.toThrow(/already running on .* Stop it first/);
  other.close();
});

test("folders that are nested too deep are left out and named, and everything else is there", async () => {
  // A command in a sandbox can create this; no path on the disk may be as long as these together.
  const nest = (name: string, depth: number) => {
    const before = process.cwd();
    process.chdir(at("data", "workspaces", "a"));
    for (let level = 0; level < depth; level += 1) {
      mkdirSync(name);
      process.chdir(name);
    }
    writeFileSync("end.txt", "the end");
    process.chdir(before);
  };
  nest("n".repeat(200), 60);
  nest("d", 500);
  const leftOut = await backUp(installation("data"), at("backup"));
  expect(leftOut).toEqual([expect.stringMatching(/^workspaces\/a\/d\/d\/.*: nested deeper than 200 folders$/)]);
  expect(readFileSync(at("backup", "workspaces", "a", "note.txt"), "utf8")).toBe("hello");
  await restore(installation("elsewhere"), at("backup"));
  expect(spawnSync("find", [".", "-name", "end.txt"], { cwd: at("elsewhere") }).stdout.toString()).toContain(
    "nnn/end.txt",
  );
});

test.skipIf(!requireMachine("linux", "python3"))(
  "folders and links that change places lead no copy outside",
  async () => {
    const [folder, link, outside] = [
      at("data", "workspaces", "a", "real"),
      at("data", "workspaces", "a", "evil"),
      at("out"),
    ];
    for (const place of [folder, outside]) mkdirSync(place);
    for (let index = 0; index < 20; index += 1) writeFileSync(path.join(outside, `f${index}`), "TOPSECRET");
    symlinkSync(outside, link);
    const source =
      "import ctypes, sys\nl = ctypes.CDLL(None)\na, b = (x.encode() for x in sys.argv[1:])\nwhile True: l.syscall(316, -100, a, -100, b, 2)";
    const swapper = spawn("/usr/bin/python3", ["-c", source, folder, link], { stdio: "ignore" });
    const leaks: string[] = [];
    for (let round = 0; round < 400; round += 1) {
      await copyTree(at("data", "workspaces"), at("copy"));
      for (const name of ["real", "evil"]) {
        const copied = at("copy", "a", name);
        if (existsSync(copied) && lstatSync(copied).isDirectory()) leaks.push(...readdirSync(copied));
      }
      rmSync(at("copy"), { recursive: true });
    }
    swapper.kill("SIGKILL");
    expect(leaks).toEqual([]);
  },
);

test.each([
  ["an empty file", (file: string) => writeFileSync(file, ""), /is empty/],
  [
    "a database without our tables",
    (file: string) => new Connection(file).exec("create table t (a)").close(),
    /not a database of Ringmaster/,
  ],
  ["a database that was cut at a page", (file: string) => truncateSync(file, statSync(file).size - 4_096), /is cut/],
  ["a database that was cut in a page", (file: string) => truncateSync(file, statSync(file).size - 100), /is cut/],
])("%s in place of the database is refused before anything is touched", async (_, damage, message) => {
  await backUp(installation("data"), at("backup"));
  const file = at("backup", "ringmaster.db");
  if (message.source !== "is cut") rmSync(file);
  damage(file);
  await expect(restore(installation("data"), at("backup"))).rejects.toThrow(message);
  expect(readdirSync(at("data")).filter((name) => name.startsWith("before-restore"))).toEqual([]);
});

test.each([["ringmaster.db"], ["secret"], ["workspaces"], ["extensions"], ["workspaces/a"]])(
  "a link in place of %s is refused",
  async (name) => {
    await backUp(installation("data"), at("backup"));
    rmSync(at("backup", name), { recursive: true });
    symlinkSync(at("data", name), at("backup", name));
    await expect(restore(installation("elsewhere"), at("backup"))).rejects.toThrow(/is a link.*Put the real/);
    expect(existsSync(at("elsewhere", "ringmaster.db"))).toBe(false);
  },
);

test.each([
  ["nothing", () => undefined, /no ringmaster.db/],
  ["a damaged database", () => writeFileSync(at("bad", "ringmaster.db"), "no database ".repeat(99)), /not a database/],
])("a folder with %s is refused before anything is touched", async (_, prepare, message) => {
  mkdirSync(at("bad"));
  prepare();
  await expect(restore(installation("data"), at("bad"))).rejects.toThrow(message);
  expect(existsSync(at("data", "ringmaster.db"))).toBe(true);
});

test("a backup that fails leaves nothing", async () => {
  const absent = { dataDirectory: at("data"), databaseUrl: `file:${at("absent.db")}` };
  await expect(backUp(absent, at("backup"))).rejects.toThrow(/There is no database/);
  expect(readdirSync(directory)).toEqual(["data"]);
});

test("a folder that exists is not overwritten", async () => {
  mkdirSync(at("backup"));
  await expect(backUp(installation("data"), at("backup"))).rejects.toThrow(/already exists/);
});
