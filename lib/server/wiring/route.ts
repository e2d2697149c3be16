import "server-only";
import { routeDefiner } from "@/lib/server/http/route";
import { findViewer, findViewerAgain } from "@/lib/server/users/session";
import { processServices } from "./services";

/** Wraps every route handler of `app`; see `routeDefiner`. */
export const defineRoute = routeDefiner(processServices, findViewer, findViewerAgain);
