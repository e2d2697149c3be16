import { expect, test } from "vitest";
import { estimateRequest, estimateTokens, tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { charsPerTokenOf, exactTokens, latinLength } from "./token-estimate";

test("Latin text counts by its characters, whatever the ratio", () => {
  const texts = ["", "a", "The quick brown fox", "Grüße, señor; façade", "x".repeat(1_001)];
  for (const text of texts) {
    for (const ratio of [1, 3.5, 4, 7]) expect(exactTokens(text, ratio)).toBe(text.length / ratio);
    expect(latinLength(text)).toBe(text.length);
    expect(tokensOf(text)).toBe(Math.floor(text.length / 4));
  }
});

test.each([
  ["Chinese", "今天天气很好，我们去公园散步吧。", 12],
  ["Japanese", "今日は天気がいいので、公園を散歩しましょう。", 17],
  ["Korean", "오늘은 날씨가 좋으니 공원을 산책합시다.", 15],
  ["Thai", "วันนี้อากาศดีไปเดินเล่นที่สวนกันเถอะ", 17],
  ["Hindi", "आज मौसम अच्छा है, चलो पार्क में टहलते हैं।", 14],
  ["Russian", "Сегодня хорошая погода, пойдём гулять в парк.", 13],
  ["Arabic", "الطقس جميل اليوم، هيا نتنزه في الحديقة.", 13],
  ["emoji", "😀🎉👍🏽🚀🌍❤️🔥✨", 14],
  ["a family", "👨‍👩‍👧‍👦", 10],
  ["boxes", "┌──┬──┐│  │  │└──┴──┘", 8],
])("%s costs at least that much", (_name, text, tokens) => {
  expect(exactTokens(text)).toBeGreaterThanOrEqual(tokens);
  expect(exactTokens(text)).toBeGreaterThan(text.length / 4);
  expect(exactTokens(text)).toBeLessThan(2 * text.length);
});

test("pieces of a text add up to the whole, wherever it is cut", () => {
  const text = "Hello 世界 😀, สวัสดี!";
  for (let at = 0; at <= text.length; at += 1) {
    expect(exactTokens(text.slice(0, at)) + exactTokens(text.slice(at))).toBeCloseTo(exactTokens(text), 9);
  }
});

test("messages, prompts and arguments of calls count alike", () => {
  const text = "世界".repeat(100);
  const call = { id: "c", name: "f", args: {}, rawArgs: JSON.stringify({ text }) };
  const messages = [
    { role: "user" as const, content: text },
    { role: "assistant" as const, content: "", toolCalls: [call] },
  ];
  expect(estimateTokens(messages)).toBeGreaterThanOrEqual(400);
  const request = { system: [{ name: "s", text }], tools: [], messages, maxTokens: 1, temperature: null };
  expect(estimateRequest(request)).toBe(200 + estimateTokens(messages));
});

test("a message that got another text is counted again", () => {
  const message = { role: "user" as const, content: "x".repeat(400) };
  expect([estimateTokens([message]), estimateTokens([message], 2)]).toEqual([100, 200]);
  message.content = "世".repeat(400);
  expect(estimateTokens([message])).toBe(400);
});

test("a budget of tokens holds fewer characters of a denser script", () => {
  expect(charsPerTokenOf(["abcd", "efgh"], 4)).toBe(4);
  expect(charsPerTokenOf(["世界"], 4)).toBe(1);
  expect(charsPerTokenOf(["世界", "abcdefgh"], 4)).toBe(10 / 4);
});
