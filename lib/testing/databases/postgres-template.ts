import type { TestProject } from "vitest/node";
import { applyDirectly } from "@/scripts/database/apply-migrations";
import { startPostgres } from "@/scripts/database/postgres-server";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run; its database `ringmaster_template` is migrated and empty. */
    postgresUrl: string;
  }
}

/** The name of the migrated database that tests copy. */
export const POSTGRES_TEMPLATE = "ringmaster_template";

/** Vitest's global setup for the tests on Postgres: one server for all of them, removed afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await server.query(`CREATE DATABASE ${POSTGRES_TEMPLATE}`);
  await applyDirectly(server.url.replace(/\/postgres$/, `/${POSTGRES_TEMPLATE}`));
  project.provide("postgresUrl", server.url);
  return server.stop;
}
