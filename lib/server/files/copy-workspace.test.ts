import { chmod, mkdir, readlink, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { copyForThread } from "./copy-workspace";
import { openWorkspace } from "./open-workspace";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "member" });
});
afterEach(() => server.close());

const OWNER = { agentId: "agent", ownerId: "member", threadId: "th1" };

test.skipIf(!requireMachine("linux"))("a copy for a thread keeps links, and what can be executed", async () => {
  const backend = BackendConfig.parse({ type: "local", scope: "user" });
  const own = await openWorkspace(server.database, backend, OWNER);
  await own.workspace.write("bin/run.sh", new TextEncoder().encode("#!/bin/sh\n"));
  const from = own.root ?? "";
  await chmod(path.join(from, "bin/run.sh"), 0o755);
  await symlink("bin/run.sh", path.join(from, "run"));
  await mkdir(path.join(from, "empty"));

  await copyForThread(server.database, backend, OWNER);
  const copy = await openWorkspace(server.database, { ...backend, scope: "thread" }, OWNER);
  const to = copy.root ?? "";
  expect(to).not.toBe(from);
  expect((await stat(path.join(to, "bin/run.sh"))).mode & 0o777).toBe(0o755);
  expect(await readlink(path.join(to, "run"))).toBe("bin/run.sh");
  expect((await copy.workspace.list("")).map(({ name, type }) => `${name} ${type}`)).toEqual([
    "bin dir",
    "empty dir",
    "run link",
  ]);
  const root = await stat(to);
  expect((await stat(path.join(to, "bin/run.sh"))).uid).toBe(root.uid);

  await writeFile(path.join(from, "late"), "late");
  await copyForThread(server.database, backend, OWNER);
  expect(await copy.workspace.stat("late")).toBeNull();
});
