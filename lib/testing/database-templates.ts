import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { applyDirectly } from "../../scripts/migrations.mjs";
import { startPostgres } from "../../scripts/postgres-server.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A migrated SQLite file, to be copied. */
    sqliteTemplate: string;
    /** Where a worker asks for the address of the Postgres server; it starts at the first question. */
    postgresBroker: string;
  }
}

/** Name of the migrated Postgres database that tests copy. */
export const POSTGRES_TEMPLATE = "ringmaster_template";

let release: () => Promise<void> = async () => undefined;

/** Vitest's global setup: what the tests of one run share. */
export async function setup(project: TestProject): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-templates-"));
  const sqliteTemplate = path.join(directory, "template.db");
  await applyDirectly(`file:${sqliteTemplate}`);
  const postgres = lazyPostgres();
  const broker = await serve(async () => (await postgres.start()).url);
  project.provide("sqliteTemplate", sqliteTemplate);
  project.provide("postgresBroker", `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  release = async () => {
    broker.closeAllConnections();
    broker.close();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Vitest calls it when all tests are done. */
export async function teardown(): Promise<void> {
  await release();
}

function lazyPostgres() {
  let started: ReturnType<typeof startTemplate> | undefined;
  return {
    start: () => {
      started ??= startTemplate();
      return started;
    },
    stop: async () => {
      const server = await started?.catch(() => undefined);
      await server?.stop();
    },
  };
}

async function startTemplate() {
  const server = await startPostgres();
  await server.query(`CREATE DATABASE ${POSTGRES_TEMPLATE}`);
  await applyDirectly(server.url.replace(/\/postgres$/, `/${POSTGRES_TEMPLATE}`));
  return server;
}

/** A reply is the text that `answer` gives, or a 500 with the reason. */
async function serve(answer: () => Promise<string>): Promise<Server> {
  const server = createServer((_request, response) => {
    answer().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
