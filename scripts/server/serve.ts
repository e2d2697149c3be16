// Everything between `npm start` and the first answer: environment, lock, clients, migrations, build, server.

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import path from "node:path";
import { createExtensionLoader } from "@/lib/server/extensions/load-natively";
import { EXTENSION_LOADER } from "@/lib/server/extensions/loaded-extension";
import { nameClient } from "@/lib/server/http/client-address";
import { lockDataDirectory, removeLeftStaging } from "@/lib/server/platform/data-directory";
import { DAMAGED } from "@/lib/server/platform/db/damage";
import { dropSecrets, type Environment, env } from "@/lib/server/platform/env";
import { ignoreOutputErrors } from "@/lib/server/platform/log-output";
import { processState } from "@/lib/server/platform/process-state";
import { type SecretBox, secretBox } from "@/lib/server/platform/secrets/secrets";
import type { StartContext } from "@/lib/server/wiring/start-context";
import { refuseHalfRestore } from "../backup/restore-mark";
import { exitCodeOf, explainStart } from "../explain-failure";
import { requireBrowserPort, requireFreePort } from "../free-port";
import { enterProgram, isRelease } from "../installation";
import { projectDirectory } from "../project-directory";
import { checkDatabase } from "./check-database";
import { isPrepared } from "./is-prepared";
import { planRestart, stageOfStart } from "./restart-process";
import { endWithLauncher } from "./watch-launcher";

const EVERYWHERE = ["0.0.0.0", "::"];
/**
 * Longer than proxies keep an idle connection (60 s): the server must not be the first to close, or a request in flight
 * at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000;

interface ServeOptions {
  readonly isDevelopment: boolean;
  /** The data folder, relative to the caller's; else the environment says. */
  readonly data?: string | undefined;
  /** Updates the database without copying it first. */
  readonly withoutBackup?: boolean;
}

/** Starts the server, or says in one sentence why it can't and exits with 1, or 78 if the database is a newer version's. */
export async function serve({ isDevelopment, data, withoutBackup = false }: ServeOptions): Promise<void> {
  const restart = isDevelopment ? null : planRestart();
  ignoreOutputErrors();
  endWithLauncher();
  try {
    enterProgram(data);
    setNodeEnvironment(isDevelopment);
    const environment = env();
    lockDataDirectory(environment.dataDirectory);
    refuseHalfRestore(environment.dataDirectory);
    if (stageOfStart() !== "prepared") {
      removeLeftStaging(environment.dataDirectory);
      // Reported now rather than after half a minute of building, and before the server starts its work.
      if (environment.role !== "worker") requireBrowserPort(environment.port);
      await requireFreePort(environment.host, environment.port);
      const secrets = secretBox();
      if (!isRelease || !isPrepared(environment, secrets)) {
        await prepare(environment, secrets, { isDevelopment, withoutBackup });
        restart?.("prepared");
      }
    }
    const extensionsFolder = path.join(environment.dataDirectory, "extensions");
    processState(EXTENSION_LOADER, () => createExtensionLoader(extensionsFolder));
    const damage = checkDatabase(environment.databaseUrl);
    const report = damage.then((found) => void (found === null || note(`${DAMAGED} SQLite says: ${found}`)));
    if (environment.role === "worker") return await Promise.all([report, work(environment)]).then(() => undefined);
    const server = await listen(environment, isDevelopment);
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : environment.port;
    await announce(addressOf(environment.host, port), EVERYWHERE.includes(environment.host), report);
  } catch (error) {
    process.stderr.write(`${explainStart(error)}\n`);
    process.exit(exitCodeOf(error));
  }
}

function setNodeEnvironment(isDevelopment: boolean): void {
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Next's own handler would race with ours (instrumentation.ts), which lets runs settle first.
    NEXT_MANUAL_SIG_HANDLE: "true",
  });
}

async function prepare(
  environment: Environment,
  secrets: SecretBox,
  { isDevelopment, withoutBackup }: Required<Omit<ServeOptions, "data">>,
): Promise<void> {
  await generateMissingClients();
  const { updateDatabase } = await import("../update/update-database");
  const applied = await updateDatabase(environment, { withoutBackup, say: note });
  if (applied.length > 0) note(`Migrated the database: ${applied.join(", ")}`);
  await checkSecrets(environment.databaseUrl, secrets);
  if (!isDevelopment && environment.role !== "worker") await buildMissingPages();
}

async function generateMissingClients(): Promise<void> {
  if (isRelease) return;
  const { ensureClients } = await import("../database/generate-clients");
  await step("Generating the database clients", ensureClients);
}

async function buildMissingPages(): Promise<void> {
  if (isRelease) return;
  const { ensureBuild } = await import("./build");
  await step("Building the pages (this takes half a minute, once)", ensureBuild);
}

// Uses a separate connection: the server's client must come from the server's own copy of Prisma.
async function checkSecrets(databaseUrl: string, secrets: SecretBox): Promise<void> {
  // Only now, because the generated clients may not have existed before.
  const { openDatabase } = await import("@/lib/server/platform/db/database");
  const { checkSecretCanary } = await import("@/lib/server/wiring/secrets-canary");
  const database = await openDatabase(databaseUrl);
  await checkSecretCanary(database, secrets).finally(() => database.close());
}

async function listen(environment: Environment, isDevelopment: boolean): Promise<Server> {
  const { default: next } = await import("next");
  const app = next({ dev: isDevelopment, dir: projectDirectory, hostname: environment.host, port: environment.port });
  await app.prepare();
  // Next reads .env files as well and puts their secrets back.
  dropSecrets();
  const { refuseRequest } = await import("@/lib/server/http/refuse-request");
  const { openAiError } = await import("@/lib/server/apis/openai/openai-error");
  const { mcpError } = await import("@/lib/server/apis/mcp/mcp-error");
  const handle = app.getRequestHandler();
  const server = createHttpServer((request, response) => {
    if (!refuseRequest(request, response, { "/v1/": openAiError, "/mcp": mcpError })) void handle(request, response);
  });
  server.listen(environment.port, environment.host);
  await once(server, "listening");
  return server;
}

/** Executes runs and serves only its health: no pages, so no Next. */
async function work({ host, port }: Environment): Promise<void> {
  const { startServer } = await import("@/lib/server/wiring/start-server");
  const services = await startServer();
  const { answerAsWorker } = await import("./answer-as-worker");
  const server = createHttpServer((request, response) => void answerAsWorker(services, request, response));
  server.listen(port, host);
  await once(server, "listening");
  const facts = processState<StartContext | null>("start-context", () => null);
  if (facts !== null) process.stderr.write(describeStart(facts, `${addressOf(host, port)} (worker)`));
}

/** The process's HTTP server; it does not listen yet. `handle` finds the client's address in x-forwarded-for. */
export function createHttpServer(handle: RequestListener): Server {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 5_000 };
  return createServer(options, (request, response) => {
    nameClient(request);
    handle(request, response);
  });
}

// Next runs instrumentation.ts before its first response: without this request, the runs left by an earlier process
// would wait for the first visitor.
async function announce(address: string, listensEverywhere: boolean, report: Promise<void>): Promise<void> {
  const answered = fetch(`${address}/health`).then((reply) => reply.arrayBuffer());
  // Damage is said before what may have failed of it.
  await Promise.all([report, answered]);
  const failure = processState<unknown>("start-failure", () => null);
  if (failure !== null) throw failure;
  const facts = processState<StartContext | null>("start-context", () => null);
  if (facts !== null) process.stderr.write(describeStart(facts, listensEverywhere ? facts.publicUrl : address));
}

/** The start message for the person who started the server: a few lines. */
function describeStart(facts: StartContext, address: string): string {
  const lines = [
    [`Ringmaster ${facts.version}`, address],
    ["Database", facts.database],
    ["Data", facts.dataDirectory],
    ["Sandbox", facts.sandbox],
    ["Providers", facts.providers.join(", ")],
    ...facts.agents.map((agent) => [
      "Agent",
      `${agent.id} (${count(agent.tools, "tool")}, ${count(agent.skills, "skill")})`,
    ]),
  ];
  return `\n${lines.map(([name = "", value]) => `  ${name.padEnd(18)}${value}`).join("\n")}\n\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function addressOf(host: string, port: number): string {
  if (EVERYWHERE.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function step(sentence: string, ensure: (announce: () => void) => Promise<void>): Promise<void> {
  await ensure(() => note(`${sentence} …`));
}

function note(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
