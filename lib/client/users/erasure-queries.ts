import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { postForm } from "@/lib/client/http/post-form";
import { type EraseUserBody, Erasure } from "@/lib/schema/users/erasure";

const POLL_MS = 2_000;

function ask(id: string, body: EraseUserBody, signal?: AbortSignal): Promise<Erasure> {
  const path = `/api/users/${encodeURIComponent(id)}/erase`;
  return callJson(Erasure, path, { method: "POST", body, ...(signal ? { signal } : {}) });
}

/** A user's data; while it is being erased, what is left, polled repeatedly. */
export function erasureQuery(id: string) {
  return queryOptions({
    queryKey: ["users", id, "erasure"],
    queryFn: ({ signal }) => ask(id, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_MS : false),
    staleTime: 0,
  });
}

export function eraseUser({ id, confirm }: { id: string; confirm: string }): Promise<Erasure> {
  return ask(id, { confirm });
}

/** Saves a zip of all of the user's data. */
export function exportUser(id: string): void {
  postForm(`/api/users/${encodeURIComponent(id)}/export`);
}
