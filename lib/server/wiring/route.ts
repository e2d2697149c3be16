import "server-only";
import { routeDefiner } from "@/lib/server/http/route";
import { findViewer } from "@/lib/server/users/session";

/** Wraps every route handler of `app`; see `routeDefiner`. Of the wiring a route loads this file alone. */
export const defineRoute = routeDefiner(findViewer);
