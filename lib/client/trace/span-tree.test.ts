import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { Span } from "@/lib/schema/traces/span";
import { testSpan as span } from "@/lib/testing/fixtures/test-span";
import {
  allNodes,
  ancestorsOf,
  buildSpanTree,
  failureIn,
  findNode,
  nextError,
  nodeGist,
  visibleRows,
  withWaitingRoot,
} from "./span-tree";

const NOTHING_COLLAPSED: ReadonlySet<string> = new Set();

const root = span("root", { parentId: null, type: "agent", name: "coder", endedAtMs: 100 });

function twoSteps(): Span[] {
  const llm = { type: "llm", name: "llm.call" } as const;
  return [
    root,
    span("m1", { ...llm, endedAtMs: 20, attributes: { step: 1, input_tokens: 100, output_tokens: 5, cost_usd: 0.25 } }),
    span("t1", {
      startedAtMs: 21,
      endedAtMs: 40,
      attributes: { step: 1, tool_name: "grep", tool_args: { pattern: "x" } },
    }),
    span("t2", {
      startedAtMs: 21,
      endedAtMs: 60,
      status: "failed",
      error: "exit 1",
      attributes: { step: 1, tool_name: "execute" },
    }),
    span("m2", {
      ...llm,
      startedAtMs: 61,
      endedAtMs: 99,
      attributes: { step: 2, input_tokens: 200, output_tokens: 7 },
    }),
  ];
}

const outline = (spans: readonly Span[], search = "", collapsed = NOTHING_COLLAPSED) =>
  visibleRows(buildSpanTree(spans), { search, collapsed }).map((row) => `${"  ".repeat(row.depth)}${row.node.label}`);

const failed = { status: "failed", error: "LLM call: The provider lab refused the API key (401)." } as const;

describe("a failed trace", () => {
  const call = { ...failed, type: "llm", attributes: { step: 1 } } as const;
  const spans = [
    span("root", { ...failed, parentId: null, type: "agent", name: "coder", endedAtMs: 90 }),
    span("tool", { status: "failed", error: "exit 1", attributes: { tool_name: "execute", step: 1 } }),
    span("call", { ...call, name: "llm.call", startedAtMs: 20 }),
    span("attempt", { ...failed, type: "llm", name: "llm.attempt", parentId: "call", startedAtMs: 21 }),
    span("again", {
      ...{ ...failed, type: "llm", name: "llm.attempt", parentId: "call", startedAtMs: 22 },
      error: `${failed.error} It is asked again without tools.`,
    }),
  ];

  test("has the call that failed as its cause, and no row repeats the error that its detail shows", () => {
    const tree = buildSpanTree(spans);
    expect(failureIn(tree)?.id).toBe("call");
    const told = [...allNodes(tree)].filter((node) => nodeGist(node).includes("refused"));
    expect(told).toEqual([]);
    expect(nodeGist(findNode(tree, "call") as never)).toBe("no answer");
    expect(nodeGist(findNode(tree, "tool") as never)).toBe("exit 1");
  });

  test("is found by the words of its error", () => {
    expect(outline(spans, "refused the api key")).toEqual(["coder", "  step 1", "    llm.call"]);
  });

  test("caused by a tool says in its row what was called", () => {
    const error = "No such file";
    const call = { ...failed, error, attributes: { step: 1, tool_name: "read_file", tool_args: { path: "a.md" } } };
    const tree = buildSpanTree([span("root", { ...failed, error, parentId: null, type: "agent" }), span("t", call)]);
    expect(nodeGist(findNode(tree, "t") as never)).toBe("a.md");
  });

  test("has what its run says of itself as the cause, if no span says it", () => {
    expect(failureIn(buildSpanTree([span("root", { ...failed, parentId: null, type: "agent" })]))?.id).toBe("root");
  });

  test("that did not fail has no cause, whatever failed in it", () => {
    expect(failureIn(buildSpanTree(twoSteps()))).toBeUndefined();
  });
});

describe("tokens and cost of a row", () => {
  const llm = { type: "llm", name: "llm.call", endedAtMs: 20 } as const;
  const unknown = { input_tokens: null, output_tokens: null, cost_usd: null };
  const answered = { input_tokens: 100, output_tokens: 5, cost_usd: 0.25 };
  const ofRow = (id: string, spans: readonly Span[]) => {
    const { tokens, costUsd, unknownTokens, unknownCosts } = findNode(buildSpanTree([root, ...spans]), id) as never;
    return { tokens, costUsd, unknownTokens, unknownCosts };
  };

  test("are unknown for a call that never answered, never zero", () => {
    const call = span("m", { ...llm, status: "failed", attributes: { step: 1, ...unknown } });
    const nothing = { tokens: null, costUsd: null, unknownTokens: 1, unknownCosts: 1 };
    expect(ofRow("m", [call])).toEqual(nothing);
    expect(ofRow("root", [call])).toEqual(nothing);
  });

  test("are summed with the number of calls that are unknown", () => {
    const calls = [
      span("m1", { ...llm, attributes: { step: 1, ...answered } }),
      span("m2", { ...llm, status: "cancelled", attributes: { step: 2, ...unknown } }),
      span("m3", { ...llm, status: "interrupted", attributes: { step: 3 } }),
    ];
    expect(ofRow("root", calls)).toEqual({ tokens: 105, costUsd: 0.25, unknownTokens: 2, unknownCosts: 2 });
  });

  test("are not asked of a call that goes on, of a failed attempt, nor of a tool", () => {
    const calls = [
      span("m1", { ...llm, attributes: { step: 1, ...answered } }),
      span("attempt", { ...llm, name: "llm.attempt", parentId: "m1", status: "failed" }),
      span("tool", { attributes: { step: 1, tool_name: "grep" } }),
      span("m2", { ...llm, status: "running", endedAtMs: null, attributes: { step: 2 } }),
    ];
    expect(ofRow("root", calls)).toEqual({ tokens: 105, costUsd: 0.25, unknownTokens: 0, unknownCosts: 0 });
  });
});

describe("the tree of a trace", () => {
  test("gathers a model call and its tools under their step", () => {
    expect(outline(twoSteps())).toEqual([
      "coder",
      "  step 1",
      "    llm.call",
      "    grep",
      "    execute",
      "  step 2",
      "    llm.call",
    ]);
  });

  test("adds up tokens, cost and errors to the top", () => {
    const [top] = buildSpanTree(twoSteps());
    expect(top).toMatchObject({ tokens: 312, costUsd: 0.25, errors: 1 });
    expect(top?.children[0]).toMatchObject({ label: "step 1", tokens: 105, errors: 1, startMs: 0, endMs: 60 });
  });

  test("does not know the tokens of a trace whose calls don't report them", () => {
    expect(buildSpanTree([root, span("t")])[0]).toMatchObject({ tokens: null, costUsd: null });
  });

  test("hangs a span whose parent is missing under the root", () => {
    expect(outline([root, span("lost", { parentId: "gone", name: "late" })])).toEqual(["coder", "  late"]);
  });

  test("shows a step as running while one of its spans is", () => {
    const step = buildSpanTree([root, span("m", { attributes: { step: 1 }, endedAtMs: null, status: "running" })])[0]
      ?.children[0];
    expect(step).toMatchObject({ status: "running", endMs: null });
  });

  test("names a tool's row after the tool and says what it was about", () => {
    const node = findNode(buildSpanTree(twoSteps()), "t1");
    expect(node?.label).toBe("grep");
    expect(node && nodeGist(node)).toBe("x");
  });

  test("loses no span and repeats none, whatever their parents", () => {
    const parents = fc.array(fc.nat(30), { maxLength: 30 });
    fc.assert(
      fc.property(parents, (links) => {
        const spans = links.map((link, index) => span(`s${index}`, { parentId: link < index ? `s${link}` : "gone" }));
        const ids = [...allNodes(buildSpanTree([root, ...spans]))].map((node) => node.id);
        expect(ids.sort()).toEqual(["root", ...spans.map(({ id }) => id)].sort());
      }),
    );
  });
});

describe("the visible rows", () => {
  test("leave out what is inside a collapsed one", () => {
    expect(outline(twoSteps(), "", new Set(["step:root:1"]))).toEqual([
      "coder",
      "  step 1",
      "  step 2",
      "    llm.call",
    ]);
  });

  test("of a search keep the parents and open them", () => {
    expect(outline(twoSteps(), "EXECUTE", new Set(["step:root:1"]))).toEqual(["coder", "  step 1", "    execute"]);
  });

  test("are none when nothing matches", () => {
    expect(outline(twoSteps(), "nowhere")).toEqual([]);
  });
});

describe("finding a way through the tree", () => {
  test("names the parents of a span from the outside in", () => {
    expect(ancestorsOf(buildSpanTree(twoSteps()), "t2")).toEqual(["root", "step:root:1"]);
    expect(ancestorsOf(buildSpanTree(twoSteps()), "nothing")).toEqual([]);
  });

  test("goes to the next error and round again", () => {
    const tree = buildSpanTree([
      ...twoSteps(),
      span("t3", { startedAtMs: 99, status: "failed", attributes: { step: 2 } }),
    ]);
    expect(nextError(tree, null)?.id).toBe("t2");
    expect(nextError(tree, "t2")?.id).toBe("t3");
    expect(nextError(tree, "t3")?.id).toBe("t2");
    expect(nextError(buildSpanTree([root]), null)).toBeNull();
  });
});

test("the run itself waits while somebody is asked, and nothing below it", () => {
  const open = [
    span("root", { parentId: null, type: "agent", status: "running", endedAtMs: null }),
    span("work", { status: "running", endedAtMs: null }),
  ];
  const statuses = (status: RunStatus) => withWaitingRoot(open, status).map((shown) => shown.status);
  expect([statuses("waiting"), statuses("running")]).toEqual([
    ["waiting", "running"],
    ["running", "running"],
  ]);
});
