import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { ALERTS_KEY } from "@/lib/client/http/query-keys";
import { Alert, AlertList, type CreateAlertBody, type UpdateAlert } from "@/lib/schema/traces/alert";

/** As often as they are measured. */
const EVERY_MS = 60_000;

const pathOf = (id: string) => `/api/alerts/${encodeURIComponent(id)}`;

/** The person's alerts, by name. */
export const alertsQuery = queryOptions({
  queryKey: ALERTS_KEY,
  queryFn: async ({ signal }) => (await callJson(AlertList, "/api/alerts", { signal })).alerts,
  refetchInterval: EVERY_MS,
});

export function createAlert(body: CreateAlertBody): Promise<Alert> {
  return callJson(Alert, "/api/alerts", { method: "POST", body });
}

export function updateAlert(id: string, body: UpdateAlert): Promise<Alert> {
  return callJson(Alert, pathOf(id), { method: "PATCH", body });
}

export async function deleteAlert(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}
