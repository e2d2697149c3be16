import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";

/**
 * The `where` part that restricts everybody but admins (`hasAdminScope`) to their own traces. Spread it into every
 * query.
 */
export function visibleTo(viewer: Viewer): { ownerId?: string } {
  return hasAdminScope(viewer) ? {} : { ownerId: viewer.id };
}

/** Somebody else's trace gets the same answer as an absent one. */
export function traceNotFound(): AppError {
  return new AppError("not_found", "There is no such trace.");
}
