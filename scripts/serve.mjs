// Everything between `npm start` and the first answer: environment, lock, clients, migrations, build, server.
import { existsSync } from "node:fs";
import "./register-typescript.mjs";
import { ensureBuild } from "./build-mark.mjs";
import { explainStart } from "./explain-start.mjs";
import { requireFreePort } from "./free-port.mjs";
import { ensureClients } from "./generate-clients.mjs";
import { createHttpServer } from "./http-server.mjs";
import { applyMigrations } from "./migrations.mjs";
import { projectDirectory } from "./prisma-cli.mjs";
import { describeStart } from "./start-summary.mjs";

const EVERYWHERE = ["0.0.0.0", "::"];

/** Starts the server, or says in one sentence why it can't and ends the process with 1. */
export async function serve(isDevelopment) {
  try {
    process.chdir(projectDirectory);
    setNodeEnvironment(isDevelopment);
    const environment = await prepare(isDevelopment);
    const server = await listen(environment, isDevelopment);
    const { host } = environment;
    await announce(addressOf(host, server.address().port), EVERYWHERE.includes(host));
  } catch (error) {
    process.stderr.write(`${explainStart(error)}\n`);
    process.exit(1);
  }
}

function setNodeEnvironment(isDevelopment) {
  process.env.NODE_ENV = isDevelopment ? "development" : "production";
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  // Its own handler would race with ours (instrumentation.ts), which lets runs come to a rest first.
  process.env.NEXT_MANUAL_SIG_HANDLE = "true";
  if (existsSync(".env") && process.env.RINGMASTER_NO_DOTENV !== "1") process.loadEnvFile(".env");
}

async function prepare(isDevelopment) {
  const { env } = await import("../lib/server/platform/env.ts");
  const { lockDataDirectory } = await import("../lib/server/platform/data-directory.ts");
  const environment = env();
  lockDataDirectory(environment.dataDirectory);
  // Told now rather than after half a minute of building, and before the server has begun its work.
  await requireFreePort(environment.host, environment.port);
  const { secretBox } = await import("../lib/server/platform/secrets.ts");
  const secrets = secretBox();
  const [applied] = await Promise.all([
    applyMigrations(environment.databaseUrl),
    step("Generating the database clients", ensureClients),
  ]);
  if (applied.length > 0) note(`Migrated the database: ${applied.join(", ")}`);
  await checkSecrets(environment.databaseUrl, secrets);
  if (!isDevelopment) await step("Building the pages (this takes half a minute, once)", ensureBuild);
  return environment;
}

// Through a connection of its own: the server's client must come from the server's own copy of Prisma.
async function checkSecrets(databaseUrl, secrets) {
  const { openDatabase } = await import("../lib/server/platform/db/database.ts");
  const { checkSecretCanary } = await import("../lib/server/wiring/secrets-canary.ts");
  const database = await openDatabase(databaseUrl);
  await checkSecretCanary(database, secrets).finally(() => database.close());
}

async function listen(environment, isDevelopment) {
  const { default: next } = await import("next");
  const app = next({ dev: isDevelopment, dir: projectDirectory, hostname: environment.host, port: environment.port });
  await app.prepare();
  // Next reads .env files as well and puts their secrets back.
  const { dropSecrets } = await import("../lib/server/platform/env.ts");
  dropSecrets();
  const { refuseRequest } = await import("../lib/server/http/refuse-request.ts");
  const handle = app.getRequestHandler();
  const server = createHttpServer((request, response) => {
    if (!refuseRequest(request, response)) void handle(request, response);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(environment.port, environment.host, resolve);
  });
  return server;
}

// Next runs instrumentation.ts before its first answer: without this question the runs that an earlier process left
// would wait for the first visitor.
async function announce(address, listensEverywhere) {
  const reply = await fetch(`${address}/health`);
  await reply.arrayBuffer();
  const { processState } = await import("../lib/server/platform/process-state.ts");
  const facts = processState("start-facts", () => null);
  if (facts !== null) process.stderr.write(describeStart(facts, listensEverywhere ? facts.publicUrl : address));
}

function addressOf(host, port) {
  if (EVERYWHERE.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function step(sentence, ensure) {
  await ensure(() => note(`${sentence} …`));
}

function note(sentence) {
  process.stderr.write(`${sentence}\n`);
}
