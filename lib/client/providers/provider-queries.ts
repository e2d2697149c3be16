import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { PROVIDERS_KEY } from "@/lib/client/http/query-keys";
import { ListedModels, Provider, ProviderTest } from "@/lib/schema/provider";
import { ModelDefaults, PriceHistory, ProviderAgents, UnpricedUsage } from "@/lib/schema/providers/provider-figures";
import type {
  ChangeModelDefaultsBody,
  ChangeProviderBody,
  CreateProviderBody,
} from "@/lib/schema/providers/provider-requests";
import { UsageReport } from "@/lib/schema/usage/usage-report";

const providerPath = (id: string) => `/api/providers/${encodeURIComponent(id)}`;

export function providerQuery(id: string) {
  return queryOptions({
    queryKey: [...PROVIDERS_KEY, "one", id],
    queryFn: ({ signal }) => callJson(Provider, providerPath(id), { signal }),
  });
}

/** Queries the provider itself. */
export function providerModelsQuery(id: string) {
  return queryOptions({
    queryKey: [...PROVIDERS_KEY, "models", id],
    queryFn: async ({ signal }) => (await callJson(ListedModels, `${providerPath(id)}/models`, { signal })).models,
    staleTime: 300_000,
    retry: false,
  });
}

export function providerAgentsQuery(id: string) {
  return queryOptions({
    queryKey: [...PROVIDERS_KEY, "agents", id],
    queryFn: async ({ signal }) => (await callJson(ProviderAgents, `${providerPath(id)}/agents`, { signal })).agents,
  });
}

/** The usage to which a price for the model would be applied. */
export function unpricedQuery(id: string, model: string) {
  return queryOptions({
    queryKey: [...PROVIDERS_KEY, "unpriced", id, model],
    queryFn: ({ signal }) =>
      callJson(UnpricedUsage, `${providerPath(id)}/unpriced${queryString({ model })}`, { signal }),
  });
}

/** Runs and cost of the last 30 days. */
export const modelUsageQuery = queryOptions({
  queryKey: [...PROVIDERS_KEY, "usage"],
  queryFn: ({ signal }) => callJson(UsageReport, "/api/usage?by=agent,model", { signal }),
});

export const modelDefaultsQuery = queryOptions({
  queryKey: [...PROVIDERS_KEY, "defaults"],
  queryFn: ({ signal }) => callJson(ModelDefaults, "/api/model-defaults", { signal }),
});

/** Refetched while costs are being filled in. */
export const priceHistoryQuery = queryOptions({
  queryKey: [...PROVIDERS_KEY, "price-history"],
  queryFn: ({ signal }) => callJson(PriceHistory, "/api/price-history", { signal }),
  refetchInterval: ({ state }) => (state.data?.state === "running" ? 1_000 : false),
});

export function createProvider(body: CreateProviderBody): Promise<Provider> {
  return callJson(Provider, "/api/providers", { method: "POST", body });
}

export function changeProvider({ id, change }: { id: string; change: ChangeProviderBody }): Promise<Provider> {
  return callJson(Provider, providerPath(id), { method: "PATCH", body: change });
}

export async function deleteProvider(id: string): Promise<void> {
  await callApi(providerPath(id), { method: "DELETE" });
}

export function testProvider({ id, signal }: { id: string; signal: AbortSignal }): Promise<ProviderTest> {
  return callJson(ProviderTest, `${providerPath(id)}/test`, { method: "POST", signal });
}

export function changeModelDefaults(body: ChangeModelDefaultsBody): Promise<ModelDefaults> {
  return callJson(ModelDefaults, "/api/model-defaults", { method: "PATCH", body });
}
