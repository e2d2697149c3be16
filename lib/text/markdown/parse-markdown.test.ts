import { describe, expect, test } from "vitest";
import { toMailHtml } from "@/lib/server/triggers/channels/email/mail-html";
import { toMrkdwn } from "@/lib/server/triggers/channels/slack/slack-text";
import { toTelegramHtml } from "@/lib/server/triggers/channels/telegram/to-html";
import { processorTimeMs } from "@/lib/testing/reading/processor-time";
import { parseMarkdown } from "./parse-markdown";

const repeated = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length));

/** Texts for which the parser alone takes time in proportion to the square of their length, or worse. */
const ATTACKS: Record<string, (size: number) => string> = {
  "nested lists": repeated("- "),
  "nested quotes": repeated("> "),
  "nested quotes without spaces": repeated(">"),
  "nested numbers": repeated("1. "),
  "nested lists and quotes": repeated("+ > * "),
  "lists nested by indentation": (size) => {
    const depth = Math.floor(Math.sqrt(size));
    return Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- a`).join("\n");
  },
  "unclosed brackets": repeated("["),
  "unclosed links": repeated("[a]("),
  "unclosed links in angles": repeated("[a](<"),
  "unclosed pictures": repeated("!["),
  "unclosed emphasis": repeated("**a"),
  "emphasis of two kinds": repeated("*a_"),
  "unclosed tags": repeated("<a "),
  "unclosed comments": repeated("a <!-- "),
  "backticks of all lengths": (size) => Array.from({ length: Math.sqrt(size) }, (_, at) => "`".repeat(at)).join(" "),
  "an address without end": (size) => `${repeated("a.")(size)}@`,
  "a word of lines": repeated("a_"),
  "an address with closing brackets": (size) => `www.a.b/${")".repeat(size)}`,
  "an address with entities": (size) => `http://a.b/${repeated("&a;")(size)}`,
  "a wide table with short rows": (size) =>
    `${repeated("|a")(size / 3)}|\n${repeated("|-")(size / 3)}|\n${repeated("|\n")(size / 3)}`,
  "heads of tables": repeated("a\n|-|-\n"),
  "lazy lines of a list": (size) => `- a\n${repeated("b\n")(size)}`,
  "spaces between two words": (size) => `a${" ".repeat(size)}b`,
  "spaces at the end": (size) => `a${" ".repeat(size)}`,
  "spaces and line ends in turn": (size) => `a${"  \n".repeat(size / 3)}b`,
  "spaces, then blank lines": (size) => `a${" ".repeat(size / 2)}b${"\n".repeat(size / 2)}c`,
  "tabs between two words": (size) => `a${"\t".repeat(size)}b`,
  "no-break spaces between two words": (size) => `a${"\u00a0".repeat(size)}b`,
  "blank lines in an item": (size) => `- a${"\n".repeat(size)}  b`,
  "spaces in an item": (size) => `- ${" ".repeat(size)}b`,
  "spaces in a heading": (size) => `# a${" ".repeat(size)}#`,
  "spaces in a cell": (size) => `|a|\n|-|\n|b${" ".repeat(size)}c|`,
  "spaces in emphasis": (size) => `**a${" ".repeat(size)}**`,
  "spaces in code": (size) => `\`${" ".repeat(size)}a`,
  "spaces in a link": (size) => `[a](<b${" ".repeat(size)}`,
  "spaces in the title of a link": (size) => `[a](b "${" ".repeat(size)}`,
  "spaces in a tag": (size) => `<a${" ".repeat(size)}b`,
  "spaces after a fence": (size) => `\`\`\`${" ".repeat(size)}a`,
  "spaces in a definition": (size) => `[a]:${" ".repeat(size)}b${" ".repeat(size)}c`,
  "signs of a heading under a line": (size) => `a\n${"= ".repeat(size / 2)}`,
  "a broken rule": (size) => `${"- ".repeat(40)}${"-\t".repeat(size / 2)}a`,
  definitions: repeated("[a]: b 'c\n"),
};

const SIZES = [15_000, 30_000, 60_000];

describe.each(Object.entries(ATTACKS))("%s", (_name, make) => {
  test.each([
    ["joined", false],
    ["broken", true],
  ])("take time in proportion to the text, lines %s", (_lines, breaks) => {
    const timesMs = SIZES.map((size) => processorTimeMs(() => parseMarkdown(make(size), { breaks })));
    const [, , longest = 0] = timesMs;
    // What a letter of this length may take; with the square it is 4 s to 10 s.
    const ordinaryMs = processorTimeMs(() =>
      parseMarkdown(repeated("Some *text* with [a link](https://a.b).\n\n")(60_000)),
    );
    expect(longest, timesMs.join(", ")).toBeLessThan(20 * ordinaryMs + 200);
  });

  test("reach people as mail, in Slack and in Telegram", () => {
    const text = make(2_000);
    for (const shown of [toMailHtml(text), toMrkdwn(text), toTelegramHtml(text)])
      expect(shown.length).toBeGreaterThan(0);
  });

  test.each([
    ["mail", toMailHtml],
    ["Slack", toMrkdwn],
    ["Telegram", toTelegramHtml],
  ])("are written for %s within a second", (_way, write) => {
    expect(processorTimeMs(() => write(make(60_000)))).toBeLessThan(1_000);
  });
});

test("long ordinary texts keep their formatting", () => {
  const table = `| Name | Number |\n|---|---|\n${"| a | 1 |\n".repeat(3_000)}`;
  const ruled = `| Name | Number |\n${"|---|---|\n| a | 1 |\n".repeat(900)}`;
  const list = Array.from({ length: 1_500 }, (_, at) => `- item **${at}** with [a link](https://a.b/${at})`).join("\n");
  const code = `\`\`\`\n${"    - ".repeat(200)}\n${"x\n".repeat(5_000)}\`\`\``;
  const indented = `${" ".repeat(200)}deep`;
  const prose = "A *long* paragraph with `code` and [links](https://a.b). ".repeat(80);
  const tokens = parseMarkdown([table, ruled, list, code, indented, prose].join("\n\n")) ?? [];
  const kinds = tokens.filter(({ type }) => type !== "space").map(({ type }) => type);
  expect(kinds).toEqual(["table", "table", "list", "code", "code", "paragraph"]);
  expect(tokens.at(-1)).toMatchObject({ tokens: expect.arrayContaining([expect.objectContaining({ type: "link" })]) });
});

test("many titles without blank lines between them keep their formatting", () => {
  const [first] = parseMarkdown("A title\n---\nA line below it.\n".repeat(300)) ?? [];
  expect(first?.type).toBe("heading");
});

test("a line end is a line break only where it is asked for", () => {
  expect(JSON.stringify(parseMarkdown("a\nb", { breaks: true }))).toContain('"br"');
  expect(JSON.stringify(parseMarkdown("a\nb"))).not.toContain('"br"');
});
