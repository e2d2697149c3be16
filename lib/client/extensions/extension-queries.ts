import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { type ExtensionInfo, ExtensionList } from "@/lib/schema/extension";

/** Everything loaded from the extensions folder, with failures. */
export const extensionsQuery = queryOptions({
  queryKey: ["extensions"],
  queryFn: async ({ signal }) => (await callJson(ExtensionList, "/api/extensions", { signal })).extensions,
});

/** Makes the server reload the folder. */
export async function reloadExtensions(): Promise<ExtensionInfo[]> {
  return (await callJson(ExtensionList, "/api/extensions/reload", { method: "POST" })).extensions;
}
