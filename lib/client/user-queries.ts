import { queryOptions } from "@tanstack/react-query";
import { ApiKeyList, type CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/api-key";
import { type CreateUserBody, type UpdateUserBody, User, UserList } from "@/lib/schema/user";
import { callApi, callJson } from "./api";

const USERS_KEY = ["users"] as const;
const KEYS_KEY = ["api-keys"] as const;

/** Everybody with an account; an installation has few enough to show at once. */
export const usersQuery = queryOptions({
  queryKey: USERS_KEY,
  queryFn: async ({ signal }) => (await callJson(UserList, "/api/users?limit=200", { signal })).users,
});

export async function createUser(body: CreateUserBody): Promise<void> {
  await callJson(User, "/api/users", { method: "POST", body });
}

export async function updateUser({ id, change }: { id: string; change: UpdateUserBody }): Promise<void> {
  await callJson(User, `/api/users/${encodeURIComponent(id)}`, { method: "PATCH", body: change });
}

export const apiKeysQuery = queryOptions({
  queryKey: KEYS_KEY,
  queryFn: async ({ signal }) => (await callJson(ApiKeyList, "/api/api-keys?limit=200", { signal })).apiKeys,
});

/** The reply holds the key itself, this once. */
export function createApiKey(body: CreateApiKeyBody): Promise<CreatedApiKey> {
  return callJson(CreatedApiKey, "/api/api-keys", { method: "POST", body });
}

export async function revokeApiKey(id: string): Promise<void> {
  await callApi(`/api/api-keys/${encodeURIComponent(id)}`, { method: "DELETE" });
}
