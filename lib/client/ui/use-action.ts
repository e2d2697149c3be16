"use client";
import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";

export interface ActionOptions<Result, Variables>
  extends Omit<UseMutationOptions<Result, Error, Variables>, "onError" | "onSettled"> {
  /** Fetched again after each try: a refusal, too, may say that what the page shows is old. */
  invalidates?: readonly QueryKey[];
}

/** Something that a person does on a page, without a form: a refusal is said in a toast. */
export function useAction<Result, Variables = void>(
  options: ActionOptions<Result, Variables>,
): UseMutationResult<Result, Error, Variables> {
  const { invalidates = [], ...rest } = options;
  const queryClient = useQueryClient();
  return useMutation({
    ...rest,
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
