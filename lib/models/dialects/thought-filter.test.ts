import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { sanitizeText } from "@/lib/text/sanitize/sanitize-text";
import { ThoughtFilter, type ThoughtPiece } from "./thought-filter";

/** Answer and thoughts of a text that arrives in these pieces. */
function split(pieces: readonly string[]) {
  const filter = new ThoughtFilter();
  const found: ThoughtPiece[] = [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()];
  let [answer, thoughts] = ["", ""];
  for (const piece of found) {
    if (piece.kind === "take back") [answer, thoughts] = ["", thoughts + answer];
    else if (piece.kind === "text") answer += piece.text;
    else thoughts += piece.text;
  }
  return { answer, thoughts };
}

const CASES: readonly [string, string, string][] = [
  ["The user wants a greeting.\n</think>\n\nHello there!", "Hello there!", "The user wants a greeting.\n"],
  ["so it was.</think>Yes.", "Yes.", "so it was."],
  ["hm</thinking>\nYes.", "Yes.", "hm"],
  ["hm</thought>Yes.", "Yes.", "hm"],
  ["hm</antThinking >Yes.", "Yes.", "hm"],
  ["</think>\n\nYes.", "Yes.", ""],
  ["<think>hm</think>\nYes.", "Yes.", "hm"],
  ["\n<think>\nhm\n</think>Yes.", "Yes.", "\nhm\n"],
  ["<think>never ends", "", "never ends"],
  ["hm</think>One </think> two", "One </think> two", "hm"],
  ["Close it with `</think>`, then go on.", "Close it with `</think>`, then go on.", ""],
  ["```\na</think>b\n```\nDone", "```\na</think>b\n```\nDone", ""],
  ["The tag <think> opens and </think> closes.", "The tag <think> opens and </think> closes.", ""],
  ["a < b and b > c", "a < b and b > c", ""],
  ["  indented <b>text</b>", "  indented <b>text</b>", ""],
  [
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>",
    "Hello",
    "Hm.",
  ],
  ["<|start|>assistant<|channel|>final<|message|>Hello", "Hello", ""],
  ["<|channel|>commentary<|message|>I look.<|end|><|channel|>final<|message|>A <| b", "A <| b", "I look."],
  ["analysisThe user greets.assistantfinalHello!", "Hello!", "analysisThe user greets."],
  [
    'analysisI ask.assistantcommentary to=functions.ls json{"path":"."}',
    '<|channel|>commentary to=functions.ls json{"path":"."}',
    "analysisI ask.",
  ],
  [
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant to=functions.ls<|channel|>commentary<|constrain|>json<|message|>{"path":"."}<|call|>',
    '<|channel|>assistant to=functions.ls commentary json<|message|>{"path":"."}',
    "Hm.",
  ],
  ["analysis of the data", "analysis of the data", ""],
  ["</thinker> stays", "</thinker> stays", ""],
  ["[THINK]hm[/THINK]Yes.", "Yes.", "hm"],
  ["<|channel>thought\nhm\n<channel|>Yes.", "Yes.", "hm\n"],
  ["<|channel>\nhm\n<channel|>\n4", "4", "\nhm\n"],
  ["<|channel>thought\n<channel|>Yes.", "Yes.", ""],
  ["The user asks.\n1. Look\n<channel|>Yes.", "Yes.", "The user asks.\n1. Look\n"],
  ["hm<|END_THINKING|>Yes.", "Yes.", "hm"],
  ["hm</seed:think>\nYes.", "Yes.", "hm"],
  ["Gemma ends it with `<channel|>` here.", "Gemma ends it with `<channel|>` here.", ""],
  ["<|think|>hm<|/think|>Yes.", "Yes.", "hm"],
  ["<unused94>thought\nhm<unused95>Yes.", "Yes.", "hm"],
  ["\n<seed:think>hm</seed:think>\nYes.", "Yes.", "hm"],
  ["◁think▷hm◁/think▷Yes.", "Yes.", "hm"],
  ["<|START_THINKING|>a <| b<|END_THINKING|><|START_RESPONSE|>Yes.", "Yes.", "a <| b"],
  ["<|begin_of_thought|>hm<|end_of_thought|>\n\n<|begin_of_solution|>\nYes.", "Yes.", "hm"],
  ["<reasoning>hm</think></reasoning>Yes.", "Yes.", "hm</think>"],
  ["[THINK]never ends", "", "never ends"],
  ["[THINKING] of you", "[THINKING] of you", ""],
  ["Write [THINK]x[/THINK] first.", "Write [THINK]x[/THINK] first.", ""],
  ["The <reasoning>tag</reasoning> stays.", "The <reasoning>tag</reasoning> stays.", ""],
];

describe("thoughts in text", () => {
  it.each(CASES)("of %j the answer is %j", (text, answer, thoughts) => {
    expect(split([text])).toEqual({ answer, thoughts });
  });

  it("are told apart however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES),
        fc.array(fc.nat({ max: 120 }), { maxLength: 8 }),
        ([text, answer, thoughts], at) => {
          const cuts = [0, ...at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
          const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
          expect(split(pieces)).toEqual({ answer, thoughts });
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a reply with a closing tag alone", () => {
  let server: ScriptedServer | undefined;
  afterEach(() => server?.close());

  const text = ["The user wants a greeting. I should", " be brief.\n</think>\n\n", "Hello there!"];

  it("has its answer only after the tag; what was shown is taken back and kept as reasoning", async () => {
    server = await startScriptedServer({ script: [{ text }], eventDelayMs: 5 });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    const { reply } = await askModel({ settings });
    expect(reply).toMatchObject({
      content: "Hello there!",
      reasoning: [{ text: "The user wants a greeting. I should be brief.\n" }],
    });
    expect(reply?.reasoning[0]).not.toHaveProperty("providerMetadata");
  });

  it("keeps its text where the model's traits say that its thoughts come apart", async () => {
    server = await startScriptedServer({ script: [{ text }] });
    const own = {
      id: "own",
      kind: "openai-compatible" as const,
      name: "Own",
      baseUrl: server.url,
      apiKey: null,
      allowedRoles: ["admin" as const],
      problem: null,
      models: [{ id: "m", traits: { thoughtsInText: false } }],
    };
    const { reply } = await askModel({ settings: { ...providerSettings(), own: [own] }, spec: "own:m" });
    expect(sanitizeText(reply?.content ?? "")).toContain("The user wants a greeting.");
  });
});
