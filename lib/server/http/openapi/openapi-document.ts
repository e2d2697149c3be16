import "server-only";
import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { VERSION } from "@/lib/server/platform/version";
import { buildOpenApiDocument, type RouteModules } from "./build-document";

/** The installation's document; created once per process. */
export function openApiDocument(modules: RouteModules): Record<string, unknown> {
  return processState("openapi-document", () =>
    buildOpenApiDocument(modules, { version: VERSION, url: env().publicUrl }),
  );
}
