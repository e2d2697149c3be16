import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { type Services, serviceState } from "@/lib/server/platform/services";

/** Id of the built-in user behind RINGMASTER_ADMIN_API_KEY. */
export const SERVICE_USER_ID = "service";

const kept = serviceState("service-user", () => ({ user: null as ReturnType<typeof upsertServiceUser> | null }));

/** The built-in user, created on first use; it can't sign in and owns its threads and workspace. */
export function ensureServiceUser(services: Services) {
  const state = kept(services);
  state.user ??= upsertServiceUser(services.database).catch((error: unknown) => {
    state.user = null;
    throw error;
  });
  return state.user;
}

async function upsertServiceUser(database: Database) {
  return database.user.upsert({
    where: { id: SERVICE_USER_ID },
    create: {
      id: SERVICE_USER_ID,
      name: "Service",
      email: "service@ringmaster.invalid",
      role: "admin",
      isService: true,
    },
    update: { isService: true },
    select: { id: true, name: true, email: true, role: true, groupRole: true },
  });
}
