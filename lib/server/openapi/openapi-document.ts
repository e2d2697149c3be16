import "server-only";
import { env } from "../env";
import { processState } from "../process-state";
import { VERSION } from "../version";
import { buildOpenApiDocument, type RouteModules } from "./build-document";

/** The document of this installation; made once per process. */
export function openApiDocument(modules: RouteModules): Record<string, unknown> {
  return processState("openapi-document", () =>
    buildOpenApiDocument(modules, { version: VERSION, url: env().publicUrl }),
  );
}
