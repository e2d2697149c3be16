import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { defineRoute } from "@/lib/server/wiring/route";

/** Whatever no other route handles: the API's error instead of a page. */
const nothing = defineRoute({ access: "public", summary: "Nothing is here", bodyDocument: z.unknown() }, () => {
  throw new AppError("not_found", "Unknown route. GET /api/openapi.json lists all routes.");
});

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT };
