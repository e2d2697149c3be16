import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { homeInReach } from "@/lib/server/platform/within-reach";

/**
 * The `where` part that restricts everybody but admins (`hasAdminScope`) to their own traces, and limited keys to those
 * of their agents. Spread it into every query.
 */
export function visibleTo(viewer: Viewer) {
  return { ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...homeInReach(viewer) };
}

/** Somebody else's trace gets the same answer as an absent one. */
export function traceNotFound(): AppError {
  return new AppError("not_found", "There is no such trace.");
}
