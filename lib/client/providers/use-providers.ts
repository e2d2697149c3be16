"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY, PROVIDERS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { changeProvider, testProvider } from "./provider-queries";

/** Refreshes what depends on a provider: itself, the pickers, and the model of agents that name none. */
export function useProviderRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY }),
      queryClient.invalidateQueries({ queryKey: AGENTS_KEY }),
    ]);
  };
}

/** Changes one provider; the mutation's error has each field's problem. */
export function useProviderChange() {
  const refresh = useProviderRefresh();
  return useMutation({ mutationFn: changeProvider, onSuccess: refresh });
}

/** A real call, which can be aborted. */
export function useProviderTest(id: string) {
  const refresh = useProviderRefresh();
  const abort = useRef<AbortController | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController();
      return testProvider({ id, signal: abort.current.signal });
    },
    onSettled: refresh,
    onError: (error) => {
      if (!abort.current?.signal.aborted) showToast({ title: errorMessage(error), tone: "error" });
    },
  });
  return { isTesting: isPending, test: () => mutate(), cancel: () => abort.current?.abort() };
}
