import { z } from "zod";
import { openApiDocument } from "@/lib/server/http/openapi/openapi-document";
import { json } from "@/lib/server/http/reply";
import type { Route } from "@/lib/server/http/route";
import { defineRoute } from "@/lib/server/wiring/route";
import { ROUTE_MODULES } from "./route-modules";

export const GET: Route = defineRoute(
  {
    access: "read",
    reply: z.record(z.string(), z.unknown()),
    summary: "This document: every route with its parameters, bodies and replies (OpenAPI 3.1)",
  },
  ({ services }) => json(openApiDocument(services, { ...ROUTE_MODULES, "/api/openapi.json": { GET } })),
);
