import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { AvailableTools } from "@/lib/schema/agents/agent-api";
import { HttpToolList, RegisteredTool, type RegisterToolBody, TestHttpToolReply } from "@/lib/schema/tools/http-tool";

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

export async function deleteHttpTool(name: string): Promise<void> {
  await callApi(`/agents/tools/${encodeURIComponent(name)}`, { method: "DELETE" });
}

/** One real call. */
export function testHttpTool(name: string, args: Record<string, unknown>): Promise<TestHttpToolReply> {
  const path = `/api/http-tools/${encodeURIComponent(name)}/test`;
  return callJson(TestHttpToolReply, path, { method: "POST", body: { args } });
}
