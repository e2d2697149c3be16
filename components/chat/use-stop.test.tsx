import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/with-queries";
import { useStop } from "./use-stop";

afterEach(cleanup);

function open(stop: () => Promise<string | null>) {
  return renderHook((openRunId: string | null) => useStop({ stop }, openRunId), {
    initialProps: "r1" as string | null,
    wrapper: withQueries(),
  });
}

test("a run is asked to stop once, and is stopping until it has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = vi.fn(() => promise);
  const { result, rerender } = open(stop);
  act(() => result.current.stop());
  await waitFor(() => expect(result.current.isStopping).toBe(true));
  act(() => result.current.stop());
  await act(async () => resolve("r1"));
  expect(result.current.isStopping).toBe(true);
  expect(stop).toHaveBeenCalledOnce();
  rerender("r2");
  expect(result.current.isStopping).toBe(false);
  act(() => result.current.stop());
  await waitFor(() => expect(stop).toHaveBeenCalledTimes(2));
});

test("a run that could not be asked can be asked again", async () => {
  const stop = vi.fn(async () => Promise.reject(new Error("offline")));
  const { result } = open(stop);
  act(() => result.current.stop());
  await waitFor(() => expect(stop).toHaveBeenCalledOnce());
  await waitFor(() => expect(result.current.isStopping).toBe(false));
});
