import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as decisions from "@/app/api/runs/[runId]/decisions/route";
import * as events from "@/app/api/runs/[runId]/events/route";
import * as oneRun from "@/app/api/runs/[runId]/route";
import * as messages from "@/app/api/threads/[threadId]/messages/route";
import * as threads from "@/app/api/threads/route";
import { runExample } from "@/lib/testing/clients/run-example";
import { type ServedRoutes, serveRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { outputOf } from "../run-command";
import { stageClient } from "./stage-client";

const QUESTIONS = { questions: [{ question: "Which?", options: ["a", "b"] }] };
const ROUTES = {
  "/api/threads": threads,
  "/api/threads/[threadId]/messages": messages,
  "/api/runs/[runId]": oneRun,
  "/api/runs/[runId]/events": events,
  "/api/runs/[runId]/decisions": decisions,
};

const { server } = approvalServer({
  "Write a.txt": [writes("a.txt"), { text: "Wrote it." }],
  Ask: [{ calls: [{ name: "ask_user", args: QUESTIONS }] }, { text: "Thanks." }],
});

/** An application that has the example, and the package of a release. */
let application: string;
let served: ServedRoutes;
beforeAll(async () => {
  application = mkdtempSync(path.join(tmpdir(), "ringmaster-client-"));
  const installed = path.join(application, "node_modules", "ringmaster");
  mkdirSync(installed, { recursive: true });
  const exports = await stageClient(path.join(installed, "client"));
  writeFileSync(path.join(installed, "package.json"), JSON.stringify({ name: "ringmaster", type: "module", exports }));
  for (const file of ["converse.ts", "package.json"]) {
    copyFileSync(path.join("examples/client", file), path.join(application, file));
  }
  served = await serveRoutes(ROUTES);
});
afterAll(async () => {
  await served.close();
  rmSync(application, { recursive: true, force: true });
});

test("the example converses with the packed client, asks in the terminal and prints the answers", async () => {
  const RINGMASTER_API_KEY = await server().addKey("member", ["read", "chat"]);
  const environment = { RINGMASTER_URL: served.url, RINGMASTER_API_KEY, RINGMASTER_AGENT: "asks" };
  const typed = ["Write a.txt", "y", "Ask", "b", ""].join("\n");
  const printed = await runExample({ file: path.join(application, "converse.ts"), environment, typed });
  expect(printed).toContain("May the agent call write_file?");
  expect(printed).toContain("Wrote it.");
  expect(printed).toContain("Which?");
  expect(printed).toContain("Thanks.");
});

test.each(["nodenext", "bundler"])(
  "its types hold for an application that resolves modules as %s",
  async (resolution) => {
    const compiler = path.resolve("node_modules/typescript/bin/tsc");
    const module = resolution === "nodenext" ? resolution : "esnext";
    const strict = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom", "--ignoreConfig"];
    const types = ["--types", "node", "--typeRoots", path.resolve("node_modules/@types")];
    const modules = ["--module", module, "--moduleResolution", resolution];
    const program = [compiler, "converse.ts", ...strict, ...types, ...modules];
    await expect(outputOf(process.execPath, program, { cwd: application })).resolves.toBe("");
    const wrong = readFileSync(path.join(application, "converse.ts"), "utf8").replace("agentId:", "agent:");
    writeFileSync(path.join(application, "wrong.ts"), wrong);
    const refused = outputOf(process.execPath, program.with(1, "wrong.ts"), { cwd: application });
    await expect(refused).rejects.toThrow("'agent' does not exist");
  },
);

test("it imports nothing, so that browsers take it as it is", () => {
  const text = readFileSync(path.join(application, "node_modules/ringmaster/client/ringmaster-client.js"), "utf8");
  expect(text).not.toMatch(/^import |\bfrom "|require\(|\bprocess\.|node:/m);
});
