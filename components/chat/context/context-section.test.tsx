import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ContextMoment } from "@/lib/client/chat/context/context-queries";
import type { LastRequest, ThreadContext } from "@/lib/schema/threads/thread-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ContextRing } from "./context-ring";
import { ContextSection, type ContextSectionProps } from "./context-section";

const CONTEXT: ThreadContext = {
  agentName: "coder",
  version: 2,
  window: 1_000,
  windowFrom: "agent",
  used: 400,
  conversation: 300,
  results: [],
  stepTokens: null,
  lastStep: null,
  nextStep: null,
  messageLimit: null,
  savedTokens: 0,
  counts: { tools: 3, messages: 5, cutResults: 0, skills: null, documents: null },
  compactions: 0,
  summary: null,
  showsPrompt: false,
  estimated: true,
  sections: [
    { name: "identity", tokens: 60, estimated: true },
    { name: "safety", tokens: 40, estimated: true },
    { name: "messages", tokens: 300, estimated: true },
  ],
  rules: [{ name: "compaction", at: 750, fires: false }],
};
const SUMMARY: ThreadContext["summary"] = {
  text: "They want it fixed.",
  replaced: 18,
  tokens: 640,
  at: "2026-11-20T12:20:00.000Z",
  lastMessageId: "m9",
};
const MOMENT: ContextMoment = { threadId: "t", agentId: "a", version: 1, model: null, after: "" };

let asked: string[];
beforeEach(() => {
  asked = [];
  Element.prototype.checkVisibility ??= () => true;
  Element.prototype.scrollIntoView ??= () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answer(...changes: (Partial<ThreadContext> | LastRequest)[]) {
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ ...CONTEXT, ...(changes[asked.length - 1] ?? changes.at(-1)) });
  });
}

const section = (props: Partial<ContextSectionProps> = {}) => (
  <ContextSection
    moment={MOMENT}
    isRunning={false}
    queued={0}
    onCompact={null}
    isAsked={false}
    onShown={() => undefined}
    cost="$0.008"
    {...props}
  />
);

/** Shows the section opened, whatever the browser remembers. */
async function showOpened(props: Partial<ContextSectionProps> = {}) {
  render(section(props), { wrapper: withQueries() });
  const line = await screen.findByRole("button", { name: / · \$0\.008$/ });
  if (line.getAttribute("aria-expanded") === "false") fireEvent.click(line);
}

test("one line says how full the window is and what it cost; from 30% on the rules are with it", async () => {
  answer({ used: 290 });
  render(section({ children: <p>Usage</p> }), { wrapper: withQueries() });
  const line = await screen.findByRole("button", { name: "29% of 1k · $0.008" });
  if (line.getAttribute("aria-expanded") === "true") fireEvent.click(line);
  expect(screen.queryByText(/A summary replaces|a summary replaces/)).toBeNull();
  expect(screen.queryByText("Usage")).toBeNull();
  cleanup();
  answer({ used: 300 });
  render(section({ children: <p>Usage</p> }), { wrapper: withQueries() });
  expect(await screen.findByText(/a summary replaces/i)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "30% of 1k · $0.008" }));
  expect(screen.getByText("Usage")).toBeTruthy();
});

test("the meter says how full the window is, its parts open, and the next rule is named", async () => {
  answer({});
  await showOpened();
  const meter = await screen.findByRole("meter", { name: "Context" });
  expect(meter.getAttribute("aria-valuetext")).toBe("about 400 of 1,000 tokens, 40%");
  fireEvent.click(screen.getByRole("button", { name: /^System prompt/ }));
  expect(screen.getByText("Safety")).toBeTruthy();
  expect(screen.getByText("about 450 tokens from now, after a run")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "What the model sees now" })).toBeNull();
});

test("ring and section ask once, and again only after another run, version or model", async () => {
  answer({}, { used: 500 });
  const page = (moment: ContextMoment) => (
    <>
      <ContextRing moment={moment} onOpen={() => undefined} />
      {section({ moment })}
    </>
  );
  const shown = render(page(MOMENT), { wrapper: withQueries() });
  expect(await screen.findByRole("button", { name: "Context: 40% of 1k" })).toBeTruthy();
  shown.rerender(page({ ...MOMENT }));
  expect(asked).toEqual(["/api/threads/t/context?prompt=false"]);
  shown.rerender(page({ ...MOMENT, after: "run1:0" }));
  expect(await screen.findByRole("button", { name: "Context: 50% of 1k" })).toBeTruthy();
  expect(asked).toHaveLength(2);
  shown.rerender(page({ ...MOMENT, after: "run1:0", model: "demo:demo" }));
  await waitFor(() => expect(asked.at(-1)).toBe("/api/threads/t/context?model=demo%3Ademo&prompt=false"));
  expect(asked).toHaveLength(3);
});

test("a nearly full window is said in words, in the ring and in the section", async () => {
  answer({ used: 950 });
  render(<ContextRing moment={MOMENT} onOpen={() => undefined} />, { wrapper: withQueries() });
  expect(await screen.findByRole("button", { name: "Context: 95% of 1k, nearly full" })).toBeTruthy();
  cleanup();
  render(section(), { wrapper: withQueries() });
  expect(await screen.findByText("The window is nearly full.")).toBeTruthy();
});

test("a summary says what it stands for and can be read", async () => {
  answer({ compactions: 2, summary: SUMMARY });
  await showOpened();
  const shown = await screen.findByRole("region", { name: "Context" });
  await within(shown).findByText("2 times");
  expect(shown.textContent).toContain("18 messages became 640 tokens");
  const replaced = within(shown).getByRole("link", { name: "What it replaced" });
  expect(replaced.getAttribute("href")).toBe("/threads/t?at=m9");
  const read = within(shown).getByRole("button", { name: "Read the summary" });
  fireEvent.click(read);
  expect(read.getAttribute("aria-expanded")).toBe("true");
});

test("a section that was asked for takes the focus once", async () => {
  answer({});
  const onShown = vi.fn();
  render(section({ isAsked: true, onShown }), { wrapper: withQueries() });
  await waitFor(() => expect(onShown).toHaveBeenCalledOnce());
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Context" }));
});

test("while a run works, the section says from when it is and can be updated", async () => {
  answer({}, { used: 600 });
  await showOpened({ isRunning: true });
  await screen.findByText("As it was before this run.");
  fireEvent.click(screen.getByRole("button", { name: "Update" }));
  expect(await screen.findByText("60% of 1k · $0.008")).toBeTruthy();
});

test("tool results open into those of single calls, the largest first", async () => {
  const results = ["a", "b", "c", "d", "e", "f"].map((gist, index) => ({
    tool: "grep",
    gist,
    tokens: 60 - index,
    cutFrom: gist === "c" ? 5_020 : null,
  }));
  const sections = [{ name: "tool_results", tokens: 345, estimated: true as const }];
  answer({ sections, results, counts: { ...CONTEXT.counts, cutResults: 1 } });
  await showOpened();
  fireEvent.click(await screen.findByRole("button", { name: /Tool results 6 results, 1 cut/ }));
  const rows = () => within(screen.getByRole("list", { name: "Results by size" })).getAllByRole("listitem");
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    "grep a60",
    "grep b59",
    "grep ccut to 58 of 5,020",
    "grep d57",
    "grep e56",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "1 more" }));
  expect(rows()).toHaveLength(6);
});

test("the request points out the lines that the agent's version has added, and says what was cached", async () => {
  const identity = {
    name: "identity",
    text: "You are Ada.\n\nAnswer briefly.",
    from: "agent",
    newLines: [3],
    newIn: 2,
    sources: [{ name: "system_prompt", firstLine: 1, lastLine: 3 }],
  };
  const sections = [{ ...identity, tokens: 6, estimated: true as const }];
  answer({ showsPrompt: true, request: { sections, messages: [], tools: [], cachedTokens: 41_900, queued: [] } });
  await showOpened();
  fireEvent.click(await screen.findByRole("button", { name: "What the model sees now" }));
  expect(await screen.findByText("new in v2: 1 line")).toBeTruthy();
  expect(screen.getByText("Answer briefly.").closest(".bg-diff-add")).not.toBeNull();
  expect(screen.getByText("You are Ada.").closest(".bg-diff-add")).toBeNull();
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByText("41,900 tokens cached at the last call")).toBeTruthy();
  expect(dialog.getByText(/^about 400 of 1,000 tokens/)).toBeTruthy();
  expect(dialog.getByText("from system_prompt, lines 1–3")).toBeTruthy();
  const widths = [...screen.getByRole("dialog").querySelectorAll<HTMLElement>("[data-part]")];
  expect(widths.map(({ dataset, style }) => `${dataset.part} ${style.width}`)).toEqual(["system 10%", "messages 30%"]);
});

test("the rows say how many skills the prompt names, how much memory it has, and that a summary came first", async () => {
  const estimate = { tokens: 10, estimated: true as const };
  const sections = ["skills", "memory", "summary", "messages"].map((name) => ({ name, ...estimate }));
  const counts = { ...CONTEXT.counts, skills: { named: 3, all: 14 }, documents: 4 };
  answer({ sections, counts });
  await showOpened();
  const rows = within(await screen.findByRole("list", { name: "What the model gets" })).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Skills3 of 14 named101%",
    "Memory4 documents101%",
    "Messagessummary and 5202%",
  ]);
});

const message = { role: "user" as const, name: null, calls: [], isSummary: false, isNew: false, tokens: 2 };
const said = (content: string) => ({ ...message, content, estimated: true as const });

test("the request names the message that waits with its size, and is compared with the last call", async () => {
  const queued = [{ gist: "Use node 22", mode: "steer" as const, tokens: 9, estimated: true as const }];
  const request = { sections: [], messages: [said("hi"), said("now")], tools: [], cachedTokens: null, queued };
  answer(
    { showsPrompt: true, lastStep: 5 },
    { showsPrompt: true, lastStep: 5, nextStep: 6, request },
    { step: 5, request: { sections: [], messages: [said("hi")], tools: [] } },
  );
  await showOpened({ queued: 1 });
  fireEvent.click(await screen.findByRole("button", { name: "What the model sees now" }));
  expect(await screen.findByText(/^coder v2, before step 6/)).toBeTruthy();
  expect(screen.getByText(/“Use node 22” is added at the next model call, about 9 tokens/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Compare with step 5" }));
  const changes = await screen.findByRole("navigation", { name: "Changed parts" });
  expect(
    within(changes)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Usernownew"]);
  expect(asked.at(-1)).toBe("/api/threads/t/context/last");
});
