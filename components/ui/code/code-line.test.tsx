import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { CodeBlock } from "./code-block";

afterEach(cleanup);

/** The coloured stretches of a block with their styles, once there are any. */
async function looksOf(title: string, code: string): Promise<string[]> {
  const { container } = render(<CodeBlock title={title} code={code} isBare />);
  const coloured = () =>
    [...container.querySelectorAll("code span")].map((span) => `${span.className.slice(10)}: ${span.textContent}`);
  await waitFor(() => expect(coloured()).not.toEqual([]), { timeout: 5_000 });
  expect([...container.querySelectorAll("code")].map((line) => line.textContent).join("\n")).toBe(code);
  return coloured();
}

describe("the colours of code", () => {
  test("a Python docstring is a string to its end, whatever words are in it", async () => {
    expect(
      await looksOf("python", 'def area():\n    """The area\n    for "each" return.\n    """\n    return 12'),
    ).toEqual([
      "key: def",
      "fn: area",
      'string: """The area',
      'string:     for "each" return.',
      'string:     """',
      "key: return",
      "number: 12",
    ]);
  });

  test("a block comment is a comment on every line", async () => {
    expect(await looksOf("a.ts", "/* Why\n   return 1;\n   'tis so */\nlet a = 1;")).toEqual([
      "comment: /* Why",
      "comment:    return 1;",
      "comment:    'tis so */",
      "key: let",
      "number: 1",
    ]);
  });

  test("a template literal is a string around its expressions, also where these have templates of their own", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code that is coloured
    expect(await looksOf("ts", "const a = `one\n${f(`in ${2}`)} two`;")).toEqual([
      "key: const",
      "string: `one",
      "fn: f",
      "string: `in ",
      "number: 2",
      "string: `",
      "string:  two`",
    ]);
  });
});
