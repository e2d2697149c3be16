// npm run db:generate | db:sync-schema | db:deploy | db:compact | db:migrate -- <title>
import { refuseHalfRestore } from "../backup/restore-mark";
import { commandEnvironment } from "../command-environment";
import { explainCommand } from "../explain-failure";
import { applyMigrations } from "./apply-migrations";
import { compactDatabase } from "./compact";
import { generateClients } from "./generate-clients";
import { startPostgres } from "./postgres-server";
import { syncSchema } from "./sync-schema";
import { writeMigration } from "./write-migration";

const COMMANDS = new Map<string | undefined, (title?: string) => void | Promise<void>>([
  ["generate", generateClients],
  ["sync-schema", syncSchema],
  ["deploy", deploy],
  ["migrate", migrate],
  ["compact", compact],
]);

const [name, title] = process.argv.slice(2);
const command = COMMANDS.get(name);
if (command === undefined) {
  process.stderr.write(
    "Usage: npm run db:generate | db:sync-schema | db:deploy | db:compact | db:migrate -- <title>\n",
  );
  process.exit(2);
}
await command(title);

/** Applies the migrations that the installation's database lacks. */
async function deploy(): Promise<void> {
  const { databaseUrl, dataDirectory } = commandEnvironment();
  refuseHalfRestore(dataDirectory);
  const applied = await applyMigrations(databaseUrl);
  process.stdout.write(applied.length === 0 ? "Up to date.\n" : `Applied ${applied.join(", ")}.\n`);
}

/** With the server stopped: shrinks the SQLite file to its content. */
function compact(): void {
  try {
    const environment = commandEnvironment();
    refuseHalfRestore(environment.dataDirectory);
    const sizes = compactDatabase(environment);
    const toMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
    process.stdout.write(
      sizes === null
        ? "There is no SQLite file to compact. Postgres gives space back by itself (autovacuum).\n"
        : `Compacted: ${toMegabytes(sizes.beforeBytes)} before, ${toMegabytes(sizes.afterBytes)} now.\n`,
    );
  } catch (error) {
    process.stderr.write(`${explainCommand(error, "Nothing was compacted")}\n`);
    process.exitCode = 1;
  }
}

/** After an edit of prisma/sqlite/schema.prisma: the other schema, a migration for each database, both clients. */
async function migrate(title = "change"): Promise<void> {
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  syncSchema();
  const postgres = await startPostgres();
  try {
    report("sqlite", await writeMigration("sqlite", slug, "file::memory:"));
    report("postgresql", await writeMigration("postgresql", slug, postgres.url));
  } finally {
    await postgres.stop();
  }
  await generateClients();
}

function report(provider: string, written: string | null): void {
  process.stdout.write(written === null ? `${provider}: nothing to migrate\n` : `${provider}: wrote ${written}\n`);
}
