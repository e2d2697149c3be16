import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";

/** Services over a test's own database. */
export function servicesOf(database: Database): Services {
  return { database };
}

/** For what must not use a database: any use throws. */
export const noDatabase = new Proxy({} as Database, {
  get() {
    throw new Error("This test has no database.");
  },
});

/** Services for what reads no database. */
export const withoutDatabase: Services = servicesOf(noDatabase);
