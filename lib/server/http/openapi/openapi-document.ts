import "server-only";
import { env } from "@/lib/server/platform/env";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";
import { buildOpenApiDocument, type RouteModules } from "./build-document";

const built = serviceState("openapi-document", () => ({ document: null as Record<string, unknown> | null }));

/** The installation's document; built once. */
export function openApiDocument(services: Services, modules: RouteModules): Record<string, unknown> {
  const state = built(services);
  state.document ??= buildOpenApiDocument(modules, { version: VERSION, url: env().publicUrl });
  return state.document;
}
