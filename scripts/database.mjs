// npm run db:generate | db:sync-schema | db:deploy | db:migrate -- <title>
import { generateClients } from "./generate-clients.mjs";
import { applyMigrations, writeMigration } from "./migrations.mjs";
import { startPostgres } from "./postgres-server.mjs";
import { syncSchema } from "./sync-schema.mjs";

const commands = { generate: generateClients, "sync-schema": syncSchema, deploy, migrate };
const command = commands[process.argv[2]];

if (command === undefined) {
  process.stderr.write(`Usage: node scripts/database.mjs ${Object.keys(commands).join(" | ")}\n`);
  process.exit(2);
}
await command();

/** Applies what the database of the installation lacks. */
async function deploy() {
  const { commandEnvironment } = await import("./command-environment.mjs");
  const { databaseUrl } = await commandEnvironment();
  const applied = await applyMigrations(databaseUrl);
  process.stdout.write(applied.length === 0 ? "Up to date.\n" : `Applied ${applied.join(", ")}.\n`);
}

/** After an edit of prisma/sqlite/schema.prisma: the other schema, a migration for each database, both clients. */
async function migrate() {
  const title = (process.argv[3] ?? "change").toLowerCase().replace(/[^a-z0-9]+/g, "_");
  syncSchema();
  const postgres = await startPostgres();
  try {
    report("sqlite", await writeMigration("sqlite", title, "file::memory:"));
    report("postgresql", await writeMigration("postgresql", title, postgres.url));
  } finally {
    await postgres.stop();
  }
  await generateClients();
}

function report(provider, name) {
  process.stdout.write(name === null ? `${provider}: nothing to migrate\n` : `${provider}: wrote ${name}\n`);
}
