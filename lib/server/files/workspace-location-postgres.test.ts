import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { findElsewhere, requireHere } from "./workspace-location";

const { database } = runDatabase();
const folders: string[] = [];

/** From now on this process acts as one with its own data directory. */
function become(role: "worker" | "web"): string {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-place-"));
  folders.push(directory);
  return as(role, directory);
}

function as(role: "worker" | "web", directory: string): string {
  vi.stubEnv("RINGMASTER_DATA_DIR", directory);
  vi.stubEnv("RINGMASTER_ROLE", role);
  vi.stubEnv("DATABASE_URL", "postgresql://db.example/ringmaster");
  forgetProcessState("environment");
  return directory;
}

beforeEach(async () => {
  await seedThread(database());
  await database().workspace.create({ data: { id: "ws1", agentId: "agent", scopeKey: "agent" } });
});
afterEach(() => {
  vi.unstubAllEnvs();
  forgetProcessState("environment");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

test("a local workspace belongs to the first process that executes a run in it, and others say where it is", async () => {
  const first = become("worker");
  expect(await findElsewhere(database(), "ws1")).toBeNull();
  become("worker");
  expect(await findElsewhere(database(), "ws1")).toMatch(/another process, on the machine .+\. Where several/);
  await expect(requireHere(database(), "ws1")).rejects.toMatchObject({ code: "unavailable" });
  as("worker", first);
  expect(await findElsewhere(database(), "ws1")).toBeNull();
});

test("a process that executes no runs never takes a workspace for its own", async () => {
  become("web");
  expect(await findElsewhere(database(), "ws1")).toMatch(/this one executes none/);
  become("worker");
  expect(await findElsewhere(database(), "ws1")).toBeNull();
});
