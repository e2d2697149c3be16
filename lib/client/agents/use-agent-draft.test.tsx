import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useAgentDraft } from "./use-agent-draft";

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const version = (number: number): AgentDetail =>
  ({ id: "writer", version: number, yaml: `name: Writer ${number}\n` }) as AgentDetail;

function open(agent: AgentDetail) {
  const wrapper = withQueries();
  return renderHook(useAgentDraft, { initialProps: agent, wrapper });
}

it("shows what is live until somebody writes", () => {
  const { result, rerender } = open(version(1));
  expect(result.current).toMatchObject({ text: "name: Writer 1\n", isChanged: false, behind: null });
  rerender(version(2));
  expect(result.current).toMatchObject({ text: "name: Writer 2\n", isChanged: false, behind: null });
});

it("keeps what was written when someone else publishes, and says what it was begun from", () => {
  const { result, rerender } = open(version(1));
  act(() => result.current.setText("name: Mine\n"));
  rerender(version(2));
  expect(result.current).toMatchObject({ text: "name: Mine\n", isChanged: true, behind: 1 });
  act(() => result.current.setText("name: Mine too\n"));
  expect(result.current.behind).toBe(1);
  act(() => result.current.setText("name: Writer 2\n"));
  expect(result.current).toMatchObject({ isChanged: false, behind: null });
});

it("finds what was written again after the page was left, and what was discarded not", () => {
  const first = open(version(1));
  act(() => first.result.current.setText("name: Mine\n"));
  first.unmount();
  const second = open(version(2));
  expect(second.result.current).toMatchObject({ text: "name: Mine\n", isChanged: true, behind: 1 });
  act(() => second.result.current.setText("name: Writer 2\n"));
  second.unmount();
  expect(open(version(2)).result.current).toMatchObject({ text: "name: Writer 2\n", isChanged: false });
});

it("takes what was published for the text that was sent, and leaves what was written since", () => {
  const { result, rerender, unmount } = open(version(1));
  act(() => result.current.setText("name: Writer 2 # a comment\n"));
  act(() => result.current.markPublished("name: Writer 2 # a comment\n", version(2)));
  rerender(version(2));
  expect(result.current).toMatchObject({ text: "name: Writer 2\n", isChanged: false });
  act(() => result.current.setText("name: Later\n"));
  act(() => result.current.markPublished("name: Writer 3\n", version(3)));
  rerender(version(3));
  expect(result.current).toMatchObject({ text: "name: Later\n", isChanged: true, behind: null });
  unmount();
  expect(open(version(3)).result.current.text).toBe("name: Later\n");
});
