import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { type ChangeOidcBody, OidcSettings, OidcTest } from "@/lib/schema/users/oidc";

export const oidcQuery = queryOptions({
  queryKey: ["oidc"],
  queryFn: ({ signal }) => callJson(OidcSettings, "/api/oidc", { signal }),
});

export function changeOidc(body: ChangeOidcBody): Promise<OidcSettings> {
  return callJson(OidcSettings, "/api/oidc", { method: "PATCH", body });
}

export function testOidc(): Promise<OidcTest> {
  return callJson(OidcTest, "/api/oidc/test", { method: "POST" });
}

export async function removeOidc(): Promise<void> {
  await callApi("/api/oidc", { method: "DELETE" });
}
