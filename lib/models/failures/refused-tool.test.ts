import { expect, it } from "vitest";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { refusedTool } from "./refused-tool";

const TOOLS = builtinToolInfos();
const refusal = (message: string, more: object = {}) => ({
  status: 400,
  text: `${JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null, ...more } })} ${message}`,
});

it.each<[string, (name: string, index: number) => ReturnType<typeof refusal>]>([
  [
    "OpenAI",
    (name) => refusal(`Invalid schema for function '${name}': In context=(), 'additionalProperties' is required.`),
  ],
  ["OpenAI by place", (_, index) => refusal("Invalid type.", { param: `tools[${index}].function.parameters` })],
  ["Anthropic", (_, index) => refusal(`tools.${index}.custom.input_schema: JSON schema is invalid.`)],
  [
    "Gemini",
    (_, index) =>
      refusal(
        `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters.properties: should be non-empty`,
      ),
  ],
  ["vLLM", (name) => refusal(`Failed to compile the schema of tool "${name}": unsupported keyword.`)],
  ["llama.cpp", (name) => refusal(`JSON schema conversion failed: function \`${name}\`: unrecognized schema`)],
  ["Mistral", (name) => refusal(`Invalid parameters for tool ${name}: object has no properties`)],
  ["Groq", (name) => refusal(`invalid JSON schema for tool ${name}, tools[x].function.parameters: bad`)],
  [
    "a gateway",
    (name) =>
      refusal("Provider returned error", {
        metadata: { raw: JSON.stringify({ detail: "bad tool parameters", name }) },
      }),
  ],
  ["a name that is taken", (name) => refusal(`The function name "${name}" is reserved.`)],
])("%s's words say which built-in tool it refuses", (_, words) => {
  const found = TOOLS.map(({ name }, index) => refusedTool(words(name, index), TOOLS));
  expect(found).toEqual(TOOLS.map(({ name }) => name));
});

it.each([
  ["Invalid schema in one of the tools."],
  ["messages.3: tool 'ls' was called without a result; tool_call_id is invalid."],
  ["The message is too long for this model: schema and parameters included."],
  ["Invalid schema for functions 'ls' and 'glob'."],
])("where it is not said, none is left out: %s", (message) => {
  expect(refusedTool(refusal(message), TOOLS)).toBeUndefined();
});

it("is only found in a refusal of what was asked", () => {
  const { text } = refusal("Invalid schema for function 'ls'");
  expect(refusedTool({ status: 500, text }, TOOLS)).toBeUndefined();
});
