import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/setup/require-machine";

/** Of nobody on this machine. */
const OTHER_USER = 54_321;

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "ringmaster-start-faults-"));
  chmodSync(base, 0o755);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Start {
  readonly prefix?: readonly string[];
  readonly options?: readonly string[];
  readonly program?: readonly string[];
  readonly uid?: number;
}

/** Starts the program with nothing of this process's environment, and without a home. */
function start(data: string, { prefix = [], options = [], program = ["scripts/start.mjs"], uid }: Start = {}) {
  const [command = "", ...args] = [...prefix, process.execPath, ...options, ...program];
  const variables = { PATH: process.env.PATH, RINGMASTER_DATA_DIR: data, RINGMASTER_NO_DOTENV: "1", PORT: "0" };
  const env: NodeJS.ProcessEnv = { NODE_ENV: "test", ...variables };
  const user = uid === undefined ? {} : { uid, gid: uid };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8", ...user });
  return { status, stdout, stderr };
}

/** The program's other commands. */
const COMMAND = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];

test("an old Node is told which one is needed, before anything that it can't read", () => {
  const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.11.1"}})';
  const { status, stderr } = start(path.join(base, "data"), { options: ["--import", old] });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Ringmaster needs Node 22\.18 or newer; this is v\d+\.\d+\.\d+ \(.+\)\.\nStart it with "npm start"/,
  );
});

test.skipIf(!requireMachine("root"))("a data folder of another user is reported in one line", () => {
  const data = path.join(base, "data");
  mkdirSync(data, { mode: 0o700 });
  const { status, stderr } = start(data, { uid: OTHER_USER });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Ringmaster can't start: .*this user may not write.*\n$/);
  expect(stderr).toContain(data);
});

/** Node's recursive `mkdir` never returns there. */
const NOWHERE = "/proc/none/data";

test.skipIf(!requireMachine("linux")).each([
  { command: "start", program: ["scripts/start.mjs"], data: NOWHERE },
  { command: "new extension", program: [...COMMAND, "new", "extension", "quiet", "hook", "--data", NOWHERE], data: "" },
  { command: "backup", program: [...COMMAND, "backup", NOWHERE], data: "" },
])("$command says that a folder can't be created where there are none", ({ program, data }) => {
  const { status, stdout, stderr } = start(data === "" ? path.join(base, "data") : data, { program });
  expect(status).toBe(1);
  expect(`${stdout}${stderr}`).toMatch(/can't use \/proc\/none: it can't be created there \(ENOENT\)/);
});

test.skipIf(!requireMachine("linux", "bubblewrap"))("a read-only root is reported in one line", () => {
  const prefix = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  const { status, stderr } = start(path.join(base, "data"), { prefix });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `Ringmaster can't start: it can't use ${path.join(base, "data")}: it is on a read-only file system (EROFS). ` +
      "Fix that, or set RINGMASTER_DATA_DIR to another folder.\n",
  );
});

test.skipIf(!requireMachine("linux", "bubblewrap"))(
  "doctor does not advise a right where the file system is read-only",
  () => {
    const data = path.join(base, "data");
    mkdirSync(data, { mode: 0o700 });
    const prefix = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
    const program = [...COMMAND, "doctor", "--json"];
    const { status, stdout } = start(data, { prefix, program });
    expect(status).toBe(1);
    const { checks } = JSON.parse(stdout);
    expect(checks.find(({ id }: { id: string }) => id === "data")).toMatchObject({
      state: "broken",
      detail: `${data} is on a read-only file system.`,
      fix: "Mount it for writing, or name another folder with --data.",
    });
  },
);

test.skipIf(!requireMachine("root"))("a user without a name and a home can run it", () => {
  const data = path.join(base, "data");
  const program = [...COMMAND, "doctor", "--json"];
  const { status, stdout, stderr } = start(data, { program, uid: OTHER_USER });
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
});
