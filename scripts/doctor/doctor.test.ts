import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { createSecretBox } from "@/lib/server/platform/secrets/secrets";
import { checkSecretCanary } from "@/lib/server/wiring/secrets-canary";
import { applyMigrations } from "../database/apply-migrations";
import { checkNode } from "./check-machine";
import type { DoctorReport } from "./finding";

let data: string;
beforeEach(() => {
  data = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-doctor-")), "data");
});
afterEach(() => rmSync(path.dirname(data), { recursive: true, force: true }));

const file = () => path.join(data, "ringmaster.db");

async function install(): Promise<void> {
  mkdirSync(data, { mode: 0o700 });
  await applyMigrations(`file:${file()}`);
}

function doctor(variables: Readonly<Record<string, string>> = {}) {
  const program = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts", "doctor", "--json"];
  const env = { ...process.env, RINGMASTER_NO_DOTENV: "1", PORT: "0", ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, "--data", data], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const report: DoctorReport = JSON.parse(stdout);
  return { status, report, of: (id: string) => report.checks.find((check) => check.id === id) };
}

describe("ringmaster doctor", () => {
  test("examines an installation that does not exist yet, and creates nothing", () => {
    const { status, report, of } = doctor();
    expect({ status, ok: report.ok }).toEqual({ status: 0, ok: true });
    expect(report.checks.map(({ id }) => id).join(", ")).toBe(
      "node, data, disk, database, migrations, newer, sandbox, port, public-url, clock, mail, providers, extensions, backups",
    );
    expect(of("database")).toMatchObject({ state: "skipped" });
    expect(existsSync(data)).toBe(false);
  });

  test("finds a whole installation right", async () => {
    await install();
    const { status, of } = doctor({ OPENAI_API_KEY: "sk-0123456789abcdef" });
    expect(status).toBe(0);
    for (const id of ["node", "data", "database", "migrations", "newer", "providers"]) {
      expect(of(id), id).toMatchObject({ state: "ok" });
    }
  });

  test.each([
    ["is lost", () => rmSync(path.join(data, "secret")), /encrypted with another secret/],
    [
      "is another",
      () => writeFileSync(path.join(data, "secret"), "a-secret-of-somebody-else"),
      /encrypted with another secret/,
    ],
    ["was cut off", () => writeFileSync(path.join(data, "secret"), "short"), /is empty or cut short/],
  ])("a database whose secret %s, as the next start would refuse it", async (_, spoil, detail) => {
    await install();
    const secret = "a-secret-of-this-installation";
    writeFileSync(path.join(data, "secret"), secret);
    const database = await openDatabase(`file:${file()}`);
    await checkSecretCanary(database, createSecretBox([secret]));
    await database.close();
    expect(doctor().of("database")).toMatchObject({ state: "ok" });
    spoil();
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("database")).toMatchObject({ state: "broken", detail: expect.stringMatching(detail) });
  });

  test("a Docker engine that was named and does not answer", () => {
    const { status, of } = doctor({ RINGMASTER_DOCKER_SOCKET: path.join(path.dirname(data), "docker.sock") });
    expect(status).toBe(0);
    expect(of("sandbox")).toMatchObject({ state: "warning", detail: expect.stringContaining("no Docker engine at") });
    expect(of("sandbox")?.fix).toContain("RINGMASTER_DOCKER_SOCKET");
  });

  test("a database that another program holds for itself is not called whole", async () => {
    await install();
    const holder = new Connection(file());
    holder.pragma("locking_mode = exclusive");
    holder.exec("begin exclusive");
    const { of } = doctor();
    holder.close();
    expect(of("database")).toMatchObject({
      state: "broken",
      detail: expect.stringContaining("Another program is using"),
    });
    expect(of("migrations")).toMatchObject({ state: "skipped" });
  });

  test("a damaged database, said once", async () => {
    await install();
    writeFileSync(file(), Buffer.alloc(8_192, 7));
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("database")).toMatchObject({ state: "broken", fix: expect.stringContaining("restore") });
    for (const id of ["migrations", "newer", "mail", "backups"]) {
      expect([id, of(id)?.state, of(id)?.detail]).toEqual([id, "skipped", "The database can't be read."]);
    }
  });

  test("a database of a newer version", async () => {
    await install();
    const connection = new Connection(file());
    const columns = `"id", "checksum", "migration_name", "finished_at"`;
    connection.exec(
      `insert into "_prisma_migrations" (${columns}) values ('x', 'x', '9_of_tomorrow', current_timestamp)`,
    );
    connection.close();
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("newer")).toMatchObject({ state: "broken", detail: expect.stringContaining("9_of_tomorrow") });
  });

  test("a database that lacks migrations is brought up by the next start", async () => {
    await install();
    const connection = new Connection(file());
    connection.exec(`delete from "_prisma_migrations"`);
    connection.close();
    const { status, of } = doctor();
    expect(status).toBe(0);
    expect(of("migrations")).toMatchObject({ state: "warning", fix: expect.stringContaining("migrate") });
  });

  test("an empty database, which the next start fills", () => {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(file(), "");
    const { status, of } = doctor();
    expect(status).toBe(0);
    expect(of("migrations")).toMatchObject({ state: "warning", fix: expect.stringContaining("migrate") });
    for (const id of ["mail", "providers", "backups"]) {
      expect([id, of(id)?.state, of(id)?.detail]).toEqual([id, "skipped", "The database is not up to date."]);
    }
  });

  test("a database of a state before the first release", async () => {
    await install();
    const connection = new Connection(file());
    connection.exec(`update "_prisma_migrations" set "migration_name" = '0_init'`);
    connection.close();
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("migrations")).toMatchObject({ state: "broken", detail: expect.stringContaining("the commit f14d9968") });
  });

  test("a data folder that is a file", () => {
    writeFileSync(data, "");
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("data")).toMatchObject({ state: "broken", fix: expect.stringContaining("--data") });
  });

  test("an extension that does not load, with its line", async () => {
    await install();
    mkdirSync(path.join(data, "extensions"));
    writeFileSync(path.join(data, "extensions", "friday.ts"), `export const a = 1;\nthrow new Error("no Friday");\n`);
    const { status, of } = doctor();
    expect(status).toBe(1);
    expect(of("extensions")?.detail).toContain("friday.ts:2: no Friday");
  });

  test("a port that another program holds", async () => {
    await install();
    const other = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { status, of } = doctor({ PORT: String(port) });
    other.close();
    expect(status).toBe(1);
    expect(of("port")).toMatchObject({ state: "broken", detail: expect.stringContaining(String(port)) });
  });

  test("an address that others reach without encryption", async () => {
    await install();
    const { of } = doctor({ HOST: "0.0.0.0", RINGMASTER_PUBLIC_URL: "http://ringmaster.example.org" });
    expect(of("public-url")).toMatchObject({ state: "warning", fix: expect.stringContaining("https") });
  });
});

test.each(["22.17.1", "20.20.2", "18.0.0"])("Node %s is too old", (version) => {
  expect(checkNode(version)).toMatchObject({ state: "broken" });
});
test.each(["22.18.0", "24.1.0", "26.0.0"])("Node %s is new enough", (version) => {
  expect(checkNode(version)).toMatchObject({ state: "ok" });
});
