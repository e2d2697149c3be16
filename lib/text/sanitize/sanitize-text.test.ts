import { describe, expect, test } from "vitest";
import { leadingBlankLinesStep } from "./blank-lines";
import { repeatedParagraphsStep } from "./repeated-paragraphs";
import { echoedSystemMessagesStep, sanitizeText, textToolCallsStep } from "./sanitize-text";
import { applyStep, type StreamStep } from "./stream-step";
import { finalTagsStep, garbledToolXmlStep, thinkingStep } from "./tag-steps";

type Case = readonly [before: string, after: string];

function cases(name: string, clean: (text: string) => string, table: readonly Case[]): void {
  describe(name, () => {
    test.each(table)("%j becomes %j", (before, after) => {
      expect(clean(before)).toBe(after);
    });
  });
}

const by = (step: () => StreamStep) => (text: string) => applyStep(step(), text);

cases("tool-call XML", by(garbledToolXmlStep), [
  ["no tags, a < b and b > c", "no tags, a < b and b > c"],
  ['<tool_call>{"name":"ls"}</tool_call>', ""],
  ['  <tool_call>{"name":"ls"}</tool_call>\n', ""],
  ["<TOOL_CALL>x</TOOL_CALL>", ""],
  ['<function_call>{"a":1}</function_call>\n<tool_use>{}</tool_use>', ""],
  [
    '<minimax:tool_call>\n<invoke name="ls">\n<parameter name="path">.</parameter>\n</invoke>\n</minimax:tool_call>',
    "",
  ],
  ['Let me look. <tool_call>{"name":"ls"}</tool_call>', 'Let me look. {"name":"ls"}'],
  ["<tool_call></tool_call>I looked.", "I looked."],
  ['<tool_call>{"name":"ls"}', ""],
  ["<tool_call> is how such a tag begins.", " is how such a tag begins."],
  ["done</tool_call>", "done"],
  ['<parameter name="path">.</parameter> it is', ". it is"],
  ["In XML, <parameter>x</parameter> is common.", "In XML, <parameter>x</parameter> is common."],
  ["<tool_caller>stays</tool_caller>", "<tool_caller>stays</tool_caller>"],
  ["<tool_call", "<tool_call"],
]);

cases("tool calls in words", by(textToolCallsStep), [
  ["plain [text] here", "plain [text] here"],
  ["[Tool Call: ls (ID: 1)]", ""],
  ['[Tool Call: ls]\nArguments: {"path": "."}\nHere it is.', "Here it is."],
  ['Before\n[Tool Call: ls]\n{\n  "path": "a}"\n}\nAfter', "Before\nAfter"],
  ['[Tool Call: ls]\n```json\n{"a": 1}\n```\nAfter', "After"],
  ["[Tool Result for ID 1]\nfile one\nfile two\n\nAfter", "\nAfter"],
  ["[tool result]\nx", ""],
  ["[Historical context: a model called ls with {}.]\nAfter", "After"],
  ["I wrote [Tool Call: ls] in a sentence.", "I wrote [Tool Call: ls] in a sentence."],
  ["  [Tool Call: ls]\nAfter", "After"],
  ["[Tools] are listed", "[Tools] are listed"],
]);

cases("thinking", by(thinkingStep), [
  ["<think>hm</think>Yes.", "Yes."],
  ["<THINK>hm</Think>Yes.", "Yes."],
  ["<thinking>a\n\nb</thinking>\nYes.", "\nYes."],
  ["<thought>a</thought><antThinking>b</antThinking>Yes.", "Yes."],
  ["<think>a</think>b<think>c</think>d", "bd"],
  ["<think>a<think>b</think>c</think>d", "cd"],
  ["<think>a</thinking>b</think>c", "c"],
  ["<think>never ends", ""],
  ["Yes.\n<think>never ends", "Yes.\n"],
  ["The tag <think> is for models.", "The tag <think> is for models."],
  ["so it was.</think>Yes.", "so it was.Yes."],
  ["I <thinker>stay</thinker>", "I <thinker>stay</thinker>"],
]);

cases("final tags", by(finalTagsStep), [
  ["<final>Yes.</final>", "Yes."],
  ["<FINAL >Yes.</final> And no.", "Yes. And no."],
  ["<finally>stays", "<finally>stays"],
]);

cases("echoed system messages", by(echoedSystemMessagesStep), [
  ["[System Message] be kind\nand short\n\nHello", "\nHello"],
  ["Hi\n[System Message]\nbe kind", "Hi\n"],
  ["the [System Message] within a line stays", "the [System Message] within a line stays"],
  ["[system message]\n\n", "\n"],
]);

cases("repeated paragraphs", by(repeatedParagraphsStep), [
  ["A\n\nA\n\nB", "A\n\nB"],
  ["A\n\n A \n\nA", "A"],
  ["A\n\nB\n\nA", "A\n\nB\n\nA"],
  ["A\nA", "A\nA"],
  ["A\n\n\n\nA", "A\n\n"],
  ["Are you sure?\n\nAre you sure? Yes.", "Are you sure?\n\nAre you sure? Yes."],
  ["```\nx\n\nx\n\nx\n```", "```\nx\n\nx\n\nx\n```"],
  ["```\na\n```\n\nB\n\nB", "```\na\n```\n\nB"],
]);

cases("blank lines at the start", by(leadingBlankLinesStep), [
  ["\n\n  \n  indented\n\nrest\n", "  indented\n\nrest\n"],
  ["text", "text"],
  [" \n ", ""],
]);

const TAGS = "<think>hm</think>\n<final>x</final>\n<tool_call>{}</tool_call>\n[Tool Call: ls]\n{}\n[System Message] y";

cases("code", sanitizeText, [
  [`Like this:\n\n\`\`\`xml\n${TAGS}\n\`\`\``, `Like this:\n\n\`\`\`xml\n${TAGS}\n\`\`\``],
  [`~~~~\n~~~\n${TAGS}\n~~~~\n<final>Yes.</final>`, `~~~~\n~~~\n${TAGS}\n~~~~\nYes.`],
  ["Write `<think>` and `</think>`, then `<final>`.", "Write `<think>` and `</think>`, then `<final>`."],
  ["<think>a\n```\nb</think>Yes.", "Yes."],
  ["<think>a ` b</think>Yes <final>it is</final>.", "Yes it is."],
  ["It is 5` long.\n<think>hm</think>Yes.", "It is 5` long.\nYes."],
  ["```\nx\n```\n<think>hm</think>Yes.", "```\nx\n```\nYes."],
]);

cases("the whole", sanitizeText, [
  ["Hello, world.", "Hello, world."],
  ["\n\n    indented \n  as\nit was \n\n", "indented \n  as\nit was"],
  ["  hi  ", "hi"],
  ["<think>The user asks.</think>\n\n<final>Yes.</final>\n", "Yes."],
  ["Yes.\n\n<think>again?</think>Yes.", "Yes."],
  ["<tool_call>{}</tool_call>\n", ""],
  ["[System Message] x\n\n[Tool Call: ls]\n{}\n\nDone.", "Done."],
  ["", ""],
]);
