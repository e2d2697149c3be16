import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { HighlightedLine } from "./code-token";
import { type Language, languageOf } from "./languages";
import { loadHighlighter } from "./load-highlighter";

/** A sample of each language, and its stretches that are not plain. */
const CODE: Record<Language, readonly [code: string, looks: string]> = {
  javascript: [
    "const a = <b c='d'>{1}</b>; // e",
    "key‹const› key‹<b› fn‹c› string‹'d'› key‹>› number‹1› key‹</b>› comment‹// e›",
  ],
  typescript: ["export const round = (end: number) => <T>f(`a`)", "key‹export› key‹const› fn‹f› string‹`a`›"],
  tsx: ["let a: string = <B />", "key‹let› key‹<B› key‹/>›"],
  python: [
    "@a\nclass B:\n  def c(self): return None # d",
    "comment‹@› key‹class› key‹def› fn‹c› key‹return› key‹None› comment‹# d›",
  ],
  json: ['{"a": [1, "b", true, null]}', 'key‹"a"› number‹1› string‹"b"› key‹true› key‹null›'],
  css: [
    "/* a\nb */ .c { color: #fff; width: 2px }",
    "comment‹/* a› comment‹b */› key‹color› string‹#fff› key‹width› number‹2px›",
  ],
  scss: ["// a\n.b { color: red }", "comment‹// a› key‹color› key‹red›"],
  html: [
    '<p class="a">It\'s "so"</p> <!-- why\n--><script>let a = 1</script>',
    'key‹<p› fn‹class› string‹"a"› key‹>› key‹</p>› comment‹<!-- why› comment‹-->› key‹<script>let› number‹1› key‹</script>›',
  ],
  xml: ['<a b="c">d</a><!-- e -->', 'key‹<a› fn‹b› string‹"c"› key‹>› key‹</a>› comment‹<!-- e -->›'],
  markdown: [
    "# A\n\nb `c` [d](https://e.example)\n\n```\nf\n```",
    "key‹# A› key‹`› string‹c› key‹`› key‹[› key‹](› string‹https://e.example› key‹)› key‹```› string‹f› key‹```›",
  ],
  yaml: [
    "# a\nb: 12\nc: 'd'\ne: |\n  for x: y\nf: true\ng: it's",
    "comment‹# a› key‹b› number‹12› key‹c› string‹'d'› key‹e› string‹|› key‹f› key‹true› key‹g›",
  ],
  toml: [
    'a = "b" # c\n[d]\ne = """\nf\n"""',
    'key‹a› string‹"b"› comment‹# c› key‹[d]› key‹e› string‹"""› string‹f› string‹"""›',
  ],
  properties: ["# a\nb=c\n[d]", "comment‹# a› key‹b› string‹c› key‹[d]›"],
  rust: [
    'fn a(b: &str) -> u8 { /* c */ println!("d"); 1 }',
    'key‹fn› fn‹a› comment‹/* c */› fn‹println!› string‹"d"› number‹1›',
  ],
  go: ["func a(b string) int { return 1 } // c", "key‹func› fn‹a› key‹return› number‹1› comment‹// c›"],
  java: ["class A { /** b */ int c() { return 1; } }", "key‹class› comment‹/** b */› key‹int› key‹return› number‹1›"],
  cpp: [
    "#include <a>\nint main() { return 1; } // b",
    "key‹#include› string‹<a>› key‹int› fn‹main› key‹return› number‹1› comment‹// b›",
  ],
  php: ['function a() { return "b"; } // c', 'key‹function› fn‹a› key‹return› string‹"b"› comment‹// c›'],
  csharp: ['var a = @"b"; // c', 'key‹var› fn‹a› string‹@"b"› comment‹// c›'],
  kotlin: ['fun a() = """b\nc""" // d', 'key‹fun› fn‹a› string‹"""b› string‹c"""› comment‹// d›'],
  scala: ["def a = 1 // b", "key‹def› fn‹a› number‹1› comment‹// b›"],
  dart: ["var a = 'b'; // c", "key‹var› string‹'b'› comment‹// c›"],
  swift: ['let a = "b" // c', 'key‹let› fn‹a› string‹"b"› comment‹// c›'],
  ruby: ['def a; "b"; end # c', 'key‹def› fn‹a› string‹"b"› key‹end› comment‹# c›'],
  lua: ["local a = [[b\nc]] -- d", "key‹local› string‹[[b› string‹c]]› comment‹-- d›"],
  r: ['a <- function(b) "c" # d', 'key‹function› string‹"c"› comment‹# d›'],
  sql: [
    "select 'a\nb' from c -- d\nwhere e = 1",
    "key‹select› string‹'a› string‹b'› key‹from› key‹c› comment‹-- d› key‹where› number‹1›",
  ],
  shell: [
    'if [ -f a ]; then echo "b\nc"; fi # d',
    'key‹if› fn‹-f› key‹then› key‹echo› string‹"b› string‹c"› key‹fi› comment‹# d›',
  ],
  powershell: ["function a { 'b' } # c", "key‹function› string‹'b'› comment‹# c›"],
  dockerfile: ["FROM a\nRUN b # c", "key‹FROM› key‹RUN›"],
  diff: ["@@ -1 +1 @@\n-a\n+b\n c", "comment‹@@ -1 +1 @@› removed‹-a› added‹+b›"],
};

function looks(lines: readonly HighlightedLine[]): string {
  return lines
    .flatMap(({ tokens }) => tokens.filter(({ look }) => look !== "plain").map(({ text, look }) => `${look}‹${text}›`))
    .join(" ");
}

test.each(Object.entries(CODE))("%s has its colours and all of its characters", async (language, [code, expected]) => {
  const highlight = await loadHighlighter(language as Language);
  const lines = [...highlight(code)].flat();
  expect(looks(lines)).toBe(expected);
  expect(lines.map(({ text }) => text).join("\n")).toBe(code);
  expect(lines.map(({ tokens }) => tokens.map(({ text }) => text).join("")).join("\n")).toBe(code);
});

test("every character of any text is kept, whatever language it is said to be", async () => {
  const languages = Object.keys(CODE) as Language[];
  const highlighters = new Map(
    await Promise.all(languages.map(async (language) => [language, await loadHighlighter(language)] as const)),
  );
  const written = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(fc.constantFrom(...Object.values(CODE).flatMap(([code]) => code.split(/(?<=[\s"'`(){}<>])/u))), {
      maxLength: 60,
    }),
  );
  await fc.assert(
    fc.property(written, fc.constantFrom(...languages), (found, language) => {
      const code = Array.isArray(found) ? found.join("") : found;
      const lines = [...(highlighters.get(language)?.(code) ?? [])].flat();
      expect(lines.map(({ tokens }) => tokens.map(({ text }) => text).join("")).join("\n")).toBe(code);
    }),
    { numRuns: 500 },
  );
});

test("a line of data is left plain, those around it are not", async () => {
  const highlight = await loadHighlighter("javascript");
  const lines = [...highlight(`let a;\n"${"b".repeat(3_000)}"\nlet c;`)].flat();
  expect(lines.map(({ tokens }) => tokens[0]?.look)).toEqual(["key", "plain", "key"]);
});

test("a language is known by a file's name, its ending or the word after a fence", () => {
  expect(["a/b.PY", "Dockerfile", "src/Dockerfile", ".env", "ts", "c++"].map(languageOf)).toEqual([
    ...["python", "dockerfile", "dockerfile", "properties", "typescript", "cpp"],
  ]);
  for (const name of ["constructor", "a.constructor", "__proto__", "text", "LICENSE", ""]) {
    expect(languageOf(name)).toBeNull();
  }
});
