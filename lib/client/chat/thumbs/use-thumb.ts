"use client";
import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, callJson, errorMessage, queryString } from "@/lib/client/http/api";
import { Score, type ScoreBody, ScoreList } from "@/lib/schema/traces/score";

/** All scores of a thread at once: another reply needs no further request. */
function scoresQuery(threadId: string) {
  return queryOptions({
    queryKey: ["scores", threadId],
    queryFn: async ({ signal }) =>
      (await callJson(ScoreList, `/api/scores${queryString({ threadId })}`, { signal })).scores,
    staleTime: 60_000,
  });
}

export type ThumbValue = ScoreBody["value"];

/** Null removes the thumb. */
type Given = { readonly value: ThumbValue; readonly why: string } | null;

export interface Thumb {
  /** The latest thumb, even while it is not stored. */
  readonly value: ThumbValue | null;
  readonly why: string | null;
  readonly state: "stored" | "sending" | "failed";
  /** Why storing it failed. */
  readonly problem: string | null;
  /** The stored thumb is not known yet. */
  readonly isLoading: boolean;
  readonly give: (given: Given) => void;
  /** Resends what was not stored. */
  readonly retry: () => void;
  /** Reverts to what is stored. */
  readonly discard: () => void;
}

/** A person's thumb on one reply, shown immediately. One that could not be stored stays, marked as such. */
export function useThumb(threadId: string, runId: string, userId: string): Thumb {
  const queryClient = useQueryClient();
  const query = scoresQuery(threadId);
  const { data, isPending } = useQuery(query);
  const stored = data?.find((score) => score.runId === runId && score.name === "thumb" && score.authorId === userId);
  const mutationKey = ["thumb", runId];
  const { mutate } = useMutation({
    mutationKey,
    // One at a time, so that the last one wins.
    scope: { id: `thumb ${runId}` },
    // A failure is remembered until the page is left, even while its reply is out of sight.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (given: Given) => store(queryClient.getQueryData(query.queryKey) ?? [], given, runId, userId),
    onSuccess: (score) =>
      queryClient.setQueryData(query.queryKey, (scores) => [
        ...(scores ?? []).filter((other) => other.runId !== runId || other.authorId !== userId),
        ...(score === null ? [] : [score]),
      ]),
  });
  const sent = useMutationState({ filters: { mutationKey }, select: ({ state }) => state }).at(-1);
  const isOpen = sent?.status === "pending" || sent?.status === "error";
  const given = isOpen ? (sent.variables as Given) : null;
  return {
    value: isOpen ? (given?.value ?? null) : ((stored?.value ?? null) as ThumbValue | null),
    why: isOpen ? (given?.why ?? null) : (stored?.why ?? null),
    state: sent?.status === "error" ? "failed" : sent?.status === "pending" ? "sending" : "stored",
    problem: sent?.status === "error" ? errorMessage(sent.error) : null,
    isLoading: isPending,
    give: mutate,
    retry: () => mutate(given),
    discard: () => {
      const cache = queryClient.getMutationCache();
      for (const mutation of cache.findAll({ mutationKey })) cache.remove(mutation);
    },
  };
}

async function store(known: readonly Score[], given: Given, runId: string, userId: string): Promise<Score | null> {
  if (given !== null) {
    const { value, why } = given;
    const body: ScoreBody = { runId, name: "thumb", value, ...(why === "" ? {} : { why }) };
    return callJson(Score, "/api/scores", { method: "POST", body });
  }
  const own = known.find((score) => score.runId === runId && score.authorId === userId);
  if (own) await callApi(`/api/scores/${encodeURIComponent(own.id)}`, { method: "DELETE" });
  return null;
}
