import "server-only";
import { onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { loadTimeZones } from "@/lib/server/users/me/time-zone";
import { loadPreferences } from "./preferences";

/** Loads people's choices, and reloads them whenever another process changes one. */
export async function startNotifications(database: Database): Promise<void> {
  const load = () => Promise.all([loadTimeZones(database), loadPreferences(database)]);
  await load();
  onSettingsElsewhere(() => {
    load().catch((error: unknown) => logger().error({ err: error }, "could not load who is notified of what"));
  });
}
