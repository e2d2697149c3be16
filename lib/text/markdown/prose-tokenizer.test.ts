import { expect, test } from "vitest";
import { toMailHtml } from "@/lib/server/triggers/channels/email/mail-html";
import { toMrkdwn } from "@/lib/server/triggers/channels/slack/slack-text";
import { toTelegramHtml } from "@/lib/server/triggers/channels/telegram/to-html";
import { parseMarkdown } from "./parse-markdown";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly href?: string;
  readonly tokens?: readonly Part[];
}

/** The formatted parts of a text, each as its type and words. */
function partsOf(text: string): string[] {
  const walk = (parts: readonly Part[]): string[] =>
    parts.flatMap(({ type, text: words = "", href, tokens = [] }) => [
      ...(["strong", "em", "del"].includes(type) ? [`${type} ${words}`] : []),
      ...(type === "link" ? [`${words} → ${href}`] : []),
      ...walk(type === "link" ? [] : tokens),
    ]);
  return walk((parseMarkdown(text) ?? []) as unknown as Part[]);
}

test.each(["仓位 5~7U，杠杆 100~200倍", "5~7 and 9~10", "~about~ this", "~a~~b~", "a~b ~c~ d~", "between ~ and ~"])(
  "one tilde strikes nothing through: %s",
  (text) => {
    expect(partsOf(text)).toEqual([]);
    for (const shown of [toMailHtml(text), toTelegramHtml(text)]) expect(shown).toContain(text);
    expect(toMrkdwn(text).replaceAll(/[\u200b\u2060]/gu, "")).toContain(text);
  },
);

test("two tildes do, also beside single ones", () => {
  expect(partsOf("~~gone~~ stays, 5~7 too, ~~also 3~4 gone~~")).toEqual(["del gone", "del also 3~4 gone"]);
});

test.each([
  ["**“引用”**的话", ["strong “引用”"]],
  ["他说**「你好」**然后", ["strong 「你好」"]],
  ["**注意：**请看", ["strong 注意："]],
  ["これは**強調（きょうちょう）**です", ["strong 強調（きょうちょう）"]],
  ["한국어**(괄호)**는", ["strong (괄호)"]],
  ["重点*（小）*的", ["em （小）"]],
  ["𠮷**（大）**𠮷", ["strong （大）"]],
  ["**一**、**二。**三", ["strong 一", "strong 二。"]],
  ["***“都”***的", ["em **“都”**", "strong “都”"]],
  ["**bold**, 2 * 3 * 4 and a*b", ["strong bold"]],
  ["**注意：**API 需要密钥", ["strong 注意："]],
  ["**A（b）**C", ["strong A（b）"]],
  ["**第一：**a **第二：**b", ["strong 第一：", "strong 第二："]],
  ["__（粗）__字", ["strong （粗）"]],
  ["_（斜）_字", ["em （斜）"]],
  ["~~（删）~~字", ["del （删）"]],
  ["~~删除：~~后", ["del 删除："]],
  ["变量_名（a）_b", []],
  ["**not closed（", []],
  ["snake_case_name的", []],
])("emphasis beside punctuation of Chinese, Japanese and Korean: %s", (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

test.each([
  ["见https://example.org/a，然后", "https://example.org/a"],
  ["|https://example.org/a|", "https://example.org/a"],
  ["https://example.org/a\u200b next", "https://example.org/a"],
  ["（https://example.org/a）", "https://example.org/a"],
  ["“https://example.org/?q=1”", "https://example.org/?q=1"],
  ["请看https://example.org/a这里", "https://example.org/a"],
  ["https://example.org查看", "https://example.org"],
  ["https://zh.example.org/wiki/北京。", "https://zh.example.org/wiki/北京"],
  ["https://example.org/?q=東京&l=ja、", "https://example.org/?q=東京&l=ja"],
  ["[https://example.org/a]", "https://example.org/a"],
  ["{https://example.org/a}.", "https://example.org/a"],
  ["(https://example.org/a_(b)), and", "https://example.org/a_(b)"],
  ["https://[::1]:80/a", null],
  ["«https://example.org/a»", "https://example.org/a"],
  ["https://example.org/a—see", "https://example.org/a"],
  ["https://example.org/a…", "https://example.org/a"],
  ["https://example.org/caf%C3%A9/é", "https://example.org/caf%C3%A9/é"],
  ["https://example.org/a?b[]=c&d={e}", "https://example.org/a?b[]=c&d={e}"],
  ["www.example.org、", "www.example.org"],
])("a bare link ends where a reader would end it: %s", (text, address) => {
  const found = partsOf(text).map((part) => part.split(" → ")[0]);
  expect(found).toEqual(address === null ? [] : [address]);
});
