import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";

/** Services over a test's own database. */
export function servicesOf(database: Database): Services {
  return { database };
}

/** Services for what reads no database. */
export const withoutDatabase: Services = {
  get database(): Database {
    throw new Error("This test has no database.");
  },
};
