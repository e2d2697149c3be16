import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMrkdwn, toMrkdwn } from "./slack-text";

describe("Markdown for Slack", () => {
  test.for<[string, string, string]>([
    ["bold, italics and strikethrough", "**a** *b* ~~c~~", "*a* _b_ ~c~"],
    ["a heading", "## Two *words*", "*Two _words_*"],
    ["a link", "[a page](https://example.org/?a=1&b=2)", "<https://example.org/?a=1&amp;b=2|a page>"],
    ["a bare link", "https://example.org", "<https://example.org>"],
    ["a link to nothing a browser opens", "[x](javascript:alert(1))", "x"],
    ["code in a line", "`a < b`", "`a &lt; b`"],
    ["a code block, without its language", "```ts\nif (a && b) {}\n```", "```\nif (a &amp;&amp; b) {}\n```"],
    ["a list", "- one\n- two\n  - three", "• one\n• two\n    • three"],
    ["a numbered list", "3. one\n4. two", "3. one\n4. two"],
    ["tasks", "- [ ] open\n- [x] done", "• ☐ open\n• ☑ done"],
    ["a quote", "> one\n> two", "> one\n> two"],
    ["a table", "| a | bbb |\n|---|---|\n| 1 | 2 |", "```\na  bbb\n-  ---\n1  2\n```"],
    ["an image", "![chart](https://example.org/a.png)", "<https://example.org/a.png|chart>"],
    ["entities that the model wrote", "a &amp; b &lt;c&gt;", "a &amp; b &lt;c&gt;"],
    ["snake_case", "snake_case_name", "snake_case_name"],
  ])("shows %s", ([, markdown, mrkdwn]) => expect(toMrkdwn(markdown)).toBe(mrkdwn));

  test("calls nobody by what an answer holds of Slack's own signs", () => {
    expect(toMrkdwn("Hello <!channel> and <@U123>")).toBe("Hello &lt;!channel&gt; and &lt;@U123&gt;");
    expect(toMrkdwn("`<!here>`\n\n```\n<!everyone>\n```")).not.toContain("<!");
    expect(toMrkdwn("[x|<!channel>](https://a.example/|b)")).not.toContain("<!");
  });

  test("calls nobody whatever the text", () => {
    const sign = fc.constantFrom(
      "<!channel>",
      "<@U1>",
      "<#C1>",
      "`",
      "```",
      "[",
      "](",
      ")",
      "|",
      "*",
      "> ",
      "- ",
      "\n",
      "a ",
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 20 }), (signs) => {
        expect(toMrkdwn(signs.join(""))).not.toMatch(/<[!@#]/);
      }),
    );
  });

  test("can't be left by fences inside code", () => {
    expect(toMrkdwn("````\n```\ninside\n```\n````").match(/```/g)).toHaveLength(2);
  });

  test("survives a text that nests without end", () => {
    expect(toMrkdwn(`${"> ".repeat(5_000)}deep`)).toContain("deep");
  });
});

describe("what a person writes in Slack", () => {
  test("loses the mention of the bot, and its signs become text", () => {
    const text = "<@UBOT> ask <@U2|petra> in <#C1|general> about <https://a.example|a page>, 1 &lt; 2 &amp; <!here>";
    expect(fromMrkdwn(text, "UBOT")).toBe("ask @petra in #general about a page (https://a.example), 1 < 2 & @here");
    expect(fromMrkdwn("<mailto:a@b.example|a@b.example> <https://a.example>", null)).toBe(
      "a@b.example https://a.example",
    );
  });

  test("keeps the spaces of a person, such as the indentation of code", () => {
    const code = "```\ndef f():\n    return {  }\n```";
    expect(fromMrkdwn(`<@UBOT> look:\n${code}`, "UBOT")).toBe(`look:\n${code}`);
    expect(fromMrkdwn("please <@UBOT> do", "UBOT")).toBe("please do");
    expect(fromMrkdwn("<@UBOT|lab> <@U1> do", "UBOT")).toBe("@U1 do");
  });

  test.for<[string, string]>([
    ["<!subteam^S1|@devs> look", "@devs look"],
    ["<!subteam^S1> look", "@subteam look"],
    ["<!date^1392734382^{date_num}|2014-02-18> is the day", "2014-02-18 is the day"],
    ["<!everyone> <!channel> <!here|@here>", "@everyone @channel @here"],
    ["<#C1|general> <#C2|>", "#general #C2"],
    ["&amp;lt; &lt;b&gt; &amp;amp;", "&lt; <b> &amp;"],
    [":wave::skin-tone-3: :custom_emoji:", ":wave::skin-tone-3: :custom_emoji:"],
    ["<tel:+491234|+49 1234>", "+49 1234 (tel:+491234)"],
    ["1 < 2 <", "1 < 2 <"],
  ])("reads Slack's own signs in %j", ([text, read]) => expect(fromMrkdwn(text, null)).toBe(read));
});
