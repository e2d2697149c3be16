import type { Database } from "@/lib/server/platform/db/database";
import { createServices, type Services } from "@/lib/server/platform/services";

const known = new WeakMap<Database, Services>();

/** The services over a test's own database: the same each time. */
export function servicesOf(database: Database): Services {
  const services = known.get(database) ?? createServices(database);
  known.set(database, services);
  return services;
}

/** For what must not use a database: any use throws. */
export const noDatabase = new Proxy({} as Database, {
  get() {
    throw new Error("This test has no database.");
  },
});

/** Services for what reads no database. */
export const withoutDatabase: Services = servicesOf(noDatabase);
