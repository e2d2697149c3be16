import "server-only";
import type { Services } from "@/lib/server/platform/services";

/** better-auth, loaded with the first cookie or password: its 250 modules are a sixth of what a start would load. */
export async function loadAuth(services: Services) {
  const { auth } = await import("./better-auth");
  return auth(services);
}
