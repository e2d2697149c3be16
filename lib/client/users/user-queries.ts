import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { ApiKeyList, type CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/users/api-key";
import { type CreateUserBody, type UpdateUserBody, User, UserList } from "@/lib/schema/users/user";

const USERS_KEY = ["users"] as const;
const KEYS_KEY = ["api-keys"] as const;

/** As many as are loaded at once: most installations have fewer. */
const MOST_AT_ONCE = 200;

/** Everybody with an account, page by page. */
export const usersQuery = infiniteQueryOptions({
  queryKey: USERS_KEY,
  queryFn: ({ pageParam, signal }) =>
    callJson(UserList, `/api/users${queryString({ limit: MOST_AT_ONCE, cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ users }) => users),
});

/** Everybody with an account, for pickers. */
export const everyUserQuery = queryOptions({
  queryKey: [...USERS_KEY, "all"],
  queryFn: async ({ signal }) => {
    const found: User[] = [];
    let cursor: string | null = null;
    do {
      const path = `/api/users${queryString({ limit: MOST_AT_ONCE, cursor })}`;
      const page: z.output<typeof UserList> = await callJson(UserList, path, { signal });
      found.push(...page.users);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  },
});

export async function createUser(body: CreateUserBody): Promise<void> {
  await callJson(User, "/api/users", { method: "POST", body });
}

export async function updateUser({ id, change }: { id: string; change: UpdateUserBody }): Promise<void> {
  await callJson(User, `/api/users/${encodeURIComponent(id)}`, { method: "PATCH", body: change });
}

/** The viewer's own keys, page by page. */
export const apiKeysQuery = infiniteQueryOptions({
  queryKey: KEYS_KEY,
  queryFn: ({ pageParam, signal }) =>
    callJson(ApiKeyList, `/api/api-keys${queryString({ limit: MOST_AT_ONCE, cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ apiKeys }) => apiKeys),
});

/** The reply contains the key itself, only this once. */
export function createApiKey(body: CreateApiKeyBody): Promise<CreatedApiKey> {
  return callJson(CreatedApiKey, "/api/api-keys", { method: "POST", body });
}

export async function revokeApiKey(id: string): Promise<void> {
  await callApi(`/api/api-keys/${encodeURIComponent(id)}`, { method: "DELETE" });
}
