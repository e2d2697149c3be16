import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { chosenOf, keepPicked, usePicked } from "./use-picked";

afterEach(() => localStorage.clear());

const agent = (models: string[], efforts: AgentInfo["choices"]["efforts"]) =>
  ({ choices: { models, efforts } }) as unknown as AgentInfo;

test("what was picked is remembered for its thread alone, and forgotten when it is taken back", () => {
  const own = agent(["x:large"], ["high"]);
  const { result } = renderHook(() => usePicked("th_1", own));
  act(() => result.current.set({ model: "x:large", effort: "high" }));
  expect(renderHook(() => usePicked("th_1", own)).result.current).toMatchObject({ model: "x:large", effort: "high" });
  expect(renderHook(() => usePicked("th_2", own)).result.current).toMatchObject({ model: null, effort: null });
  act(() => result.current.set({ model: null, effort: null }));
  expect(result.current.model).toBeNull();
  expect(localStorage).toHaveLength(0);
});

test("what the agent no longer offers is not picked any more", () => {
  keepPicked("th_1", { model: "x:large", effort: "high" });
  const { result } = renderHook(() => usePicked("th_1", agent([], ["low"])));
  expect(chosenOf(result.current)).toEqual({});
});
