import { expect, it } from "vitest";
import { readTextCalls } from "./text-calls";

const names = new Set(["calculate", "ls"]);
const args = '{"expression": "6*7"}';
const json = `{"name": "calculate", "arguments": ${args}}`;
const keyed = "<arg_key>expression</arg_key>\n<arg_value>6*7</arg_value>";
const parameter = '<parameter name="expression">6*7</parameter>';
const dsml = (bar: string) =>
  `<${bar}DSML${bar}tool_calls>\n<${bar}DSML${bar}invoke name="calculate">\n<${bar}DSML${bar}parameter name="expression" string="true">6*7</${bar}DSML${bar}parameter>\n</${bar}DSML${bar}invoke>\n</${bar}DSML${bar}tool_calls>`;

const TAGGED: Readonly<Record<string, string>> = {
  "a list of Hermes": `<tool_call>\n[${json}]\n</tool_call>`,
  "Qwen 2.5 Coder": `<tools>\n${json}\n</tools>`,
  "Python's quotes": `<tool_call>\n{'name': 'calculate', 'arguments': {'expression': '6*7'}}\n</tool_call>`,
  "GLM 4.5": `<tool_call>calculate\n${keyed}\n</tool_call>`,
  "GLM 4.7 with JSON": `<tool_call>calculate ${args}</tool_call>`,
  "Kimi K2": `<|tool_calls_section_begin|> <|tool_call_begin|> functions.calculate:0 <|tool_call_argument_begin|> ${args} <|tool_call_end|> <|tool_calls_section_end|>`,
  "Kimi K2 without an end": `<|tool_call_section_begin|>functions.calculate:0<|tool_call_argument_begin|>${args}`,
  "Kimi K3": `<|open|>tools<|sep|><|open|>call tool="calculate" index="1"<|sep|><|open|>argument key="expression" type="string"<|sep|>6*7<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
  "DeepSeek V3": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculate\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek V3.1": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>calculate<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek V4": dsml("｜"),
  "DeepSeek V4 with other bars": dsml("‖"),
  "DeepSeek V4 with bars in pairs": dsml("｜｜"),
  "MiniMax M2": `<minimax:tool_call>\n<invoke name="calculate">\n${parameter}\n</invoke>\n</minimax:tool_call>`,
  "MiniMax M1": `<tool_calls>\n${json}\n</tool_calls>`,
  "an invocation alone": `<invoke name="calculate">\n${parameter}\n</invoke>`,
  "functions in a list": `<function_calls>\n<invoke name="calculate">\n${parameter}\n</invoke>\n</function_calls>`,
  Hunyuan: `<tool_calls><tool_call>calculate<tool_sep>${keyed}</tool_call></tool_calls>`,
  "Seed OSS": `<seed:tool_call>\n<function=calculate>\n<parameter=expression>6*7</parameter>\n</function>\n</seed:tool_call>`,
  "Mistral 3": `[TOOL_CALLS]calculate[ARGS]${args}`,
  "Mistral with ids": `[TOOL_CALLS]calculate[CALL_ID]abc123456[ARGS]${args}`,
  "Llama's Python": `<|python_tag|>calculate(expression="6*7")`,
  LFM2: `<|tool_call_start|>[calculate(expression='6*7')] <|tool_call_end|>`,
  "Gemma 3": "```tool_code\nprint(calculate(expression='6*7'))\n```",
  FunctionGemma: "<start_function_call>call:calculate{expression:<escape>6*7<escape>}<end_function_call>",
  "Gemma 4": '<|tool_call>call:calculate{expression:<|"|>6*7<|"|>}<tool_call|>',
  "Command A": `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "calculate", "parameters": ${args}}]<|END_ACTION|>`,
  "Granite and Phi 4": `<|tool_call|>[${json}]`,
  Apertus: `<|tools_prefix|>[{"calculate": ${args}}]<|tools_suffix|>`,
  InternLM: `<|action_start|><|plugin|>${json}<|action_end|>`,
  Nemotron: `<TOOLCALL>[${json}]</TOOLCALL>`,
  "OLMo 3": `<function_calls>\ncalculate(expression="6*7")\n</function_calls>`,
  Grok: `<xai:function_call name="calculate">${parameter}</xai:function_call>`,
  LongCat: `<longcat_tool_call>${json}</longcat_tool_call>`,
  "gpt-oss": `<|start|>assistant<|channel|>commentary to=functions.calculate <|constrain|>json<|message|>${args}<|call|>`,
};

it.each(Object.entries(TAGGED))("a tagged call is read as %s write it", (_, text) => {
  const calls = [{ name: "calculate", args: { expression: "6*7" } }];
  expect(readTextCalls(text, names)).toEqual({ calls, isTagged: true, isBesideText: false });
});

const BARE: Readonly<Record<string, string>> = {
  "a block of JSON": `\`\`\`json\n${json}\n\`\`\``,
  "a list in Python": `[calculate(expression="6*7")]`,
  "Gemma's form without its tokens": "call:calculate{expression:6*7}",
  "functools of Phi 4": `functools[${json}]`,
  "Mistral's form without its token": `calculate[ARGS]${args}`,
  "an action of an older agent": `{"action":"calculate","action_input":${args}}`,
};

it.each(Object.entries(BARE))("without a tag it may be an answer: %s", (_, text) => {
  const calls = [{ name: "calculate", args: { expression: "6*7" } }];
  expect(readTextCalls(text, names)).toEqual({ calls, isTagged: false, isBesideText: false });
  expect(readTextCalls(text.replaceAll("calculate", "reckon"), names)).toBeNull();
});

it("arguments keep their kinds, and text its own tags and spaces", () => {
  const kinds = `<|tool_call>call:calculate{a:1,b:true,c:["x",{d:<|"|>y, z<|"|>}],e:None}<tool_call|>`;
  expect(readTextCalls(kinds, names)?.calls).toEqual([
    { name: "calculate", args: { a: 1, b: true, c: ["x", { d: "y, z" }], e: null } },
  ]);
  const typed = `<｜DSML｜invoke name="calculate"><｜DSML｜parameter name="n" string="false">[1]</｜DSML｜parameter><｜DSML｜parameter name="s" string="true">[1]</｜DSML｜parameter></｜DSML｜invoke>`;
  expect(readTextCalls(typed, names)?.calls[0]?.args).toEqual({ n: [1], s: "[1]" });
  const code = "<function=calculate>\n<parameter=code>\n  if a < b:\n    x\n</parameter>\n</function>";
  expect(readTextCalls(code, names)?.calls[0]?.args).toEqual({ code: "  if a < b:\n    x" });
  const inner = '<tool_call>{"name":"calculate","arguments":{"expression":"</tool_call>"}}</tool_call>';
  expect(readTextCalls(inner, names)?.calls[0]?.args).toEqual({ expression: "</tool_call>" });
});

it.each([
  "[TOOL_CALLS]ls[ARGS]{}[TOOL_CALLS]ls[ARGS]{}",
  "<tool_call>ls</tool_call>\n<tool_call>ls</tool_call>",
  "<|tool_call_start|>[ls(), ls()]<|tool_call_end|>",
  '<invoke name="ls"></invoke>\n<invoke name="ls"></invoke>',
  "<tool_calls><tool_call>ls</tool_call><tool_call>ls</tool_call></tool_calls>",
])("several calls, also without arguments, are read from %s", (text) => {
  const ls = { name: "ls", args: {} };
  expect(readTextCalls(text, names)).toEqual({ calls: [ls, ls], isTagged: true, isBesideText: false });
});
