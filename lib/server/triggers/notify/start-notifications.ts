import "server-only";
import { onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { loadTimeZones } from "@/lib/server/users/me/time-zone";
import { loadPreferences } from "./preferences";

/** Loads people's choices, and reloads them whenever another process changes one. */
export async function startNotifications(services: Services): Promise<void> {
  const load = () => Promise.all([loadTimeZones(services.database), loadPreferences(services)]);
  await load();
  onSettingsElsewhere(() => {
    load().catch((error: unknown) => logger().error({ err: error }, "could not load who is notified of what"));
  });
}
