import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { THREADS_KEY } from "@/lib/client/http/query-keys";
import { threadQuery } from "./thread-queries";
import { deleteThread, restoreThread } from "./threads/thread-actions";

afterEach(() => vi.unstubAllGlobals());

test("a deleted thread is not asked for again until its deletion is taken back", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    asked.push(`${init.method ?? "GET"} ${path}`);
    return new Response(null, { status: 204 });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(["threads", "one", "th_1"], {});
  const stop = new QueryObserver(client, { ...threadQuery("th_1"), staleTime: 60_000 } as never).subscribe(() => {});
  await deleteThread("th_1");
  await client.invalidateQueries({ queryKey: THREADS_KEY });
  expect(asked).toEqual(["DELETE /api/threads/th_1"]);
  await restoreThread("th_1");
  await client.invalidateQueries({ queryKey: THREADS_KEY }).catch(() => undefined);
  expect(asked.at(-1)).toBe("GET /api/threads/th_1?from=0");
  stop();
});
