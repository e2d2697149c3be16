import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { AvailableTools } from "@/lib/schema/agents/agent-api";
import { HttpToolList, RegisteredTool, type RegisterToolBody, TestHttpToolReply } from "@/lib/schema/tools/http-tool";
import { ImportedTools, type ImportOpenApiBody, OpenApiPreview } from "@/lib/schema/tools/openapi-import";
import { type CreateRequestToolBody, RequestTool, type UpdateRequestToolBody } from "@/lib/schema/tools/request-tool";

export const availableToolsQuery = queryOptions({
  queryKey: [...TOOLS_KEY, "available"],
  queryFn: async ({ signal }) => (await callJson(AvailableTools, "/agents/tools/available", { signal })).tools,
});

export const httpToolsQuery = queryOptions({
  queryKey: [...TOOLS_KEY, "http"],
  queryFn: async ({ signal }) => (await callJson(HttpToolList, "/api/http-tools", { signal })).httpTools,
});

/** Creates the tool, or replaces the one with that name. */
export function registerHttpTool(body: RegisterToolBody): Promise<RegisteredTool> {
  return callJson(RegisteredTool, "/agents/tools/register", { method: "POST", body });
}

export function createRequestTool(body: CreateRequestToolBody): Promise<RequestTool> {
  return callJson(RequestTool, "/api/http-tools", { method: "POST", body });
}

export function updateRequestTool(name: string, body: UpdateRequestToolBody): Promise<RequestTool> {
  return callJson(RequestTool, `/api/http-tools/${encodeURIComponent(name)}`, { method: "PATCH", body });
}

/** The operations of an OpenAPI document; makes nothing. */
export function previewOpenApi(document: Pick<ImportOpenApiBody, "url" | "document">): Promise<OpenApiPreview> {
  return callJson(OpenApiPreview, "/api/http-tools/import", { method: "POST", body: document });
}

/** Makes a tool of each operation that the body names. */
export function importOperations(body: ImportOpenApiBody): Promise<ImportedTools> {
  return callJson(ImportedTools, "/api/http-tools/import", { method: "POST", body });
}

export async function deleteHttpTool(name: string): Promise<void> {
  await callApi(`/api/http-tools/${encodeURIComponent(name)}`, { method: "DELETE" });
}

/** One real call. */
export function testHttpTool(name: string, args: Record<string, unknown>): Promise<TestHttpToolReply> {
  const path = `/api/http-tools/${encodeURIComponent(name)}/test`;
  return callJson(TestHttpToolReply, path, { method: "POST", body: { args } });
}
