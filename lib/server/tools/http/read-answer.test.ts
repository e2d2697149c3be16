import { expect, test } from "vitest";
import { readAnswer } from "./read-answer";

const answer = (text: string, { status = 200, contentType = "application/json" } = {}) => ({
  text,
  status,
  contentType,
});
const WEATHER = JSON.stringify({ current: { temperature: 3.5, words: "clear" }, days: [{ max: 5 }, { max: 7 }] });

test("without a path the model reads the whole answer", () => {
  expect(readAnswer(answer(WEATHER), null)).toEqual({ output: WEATHER, display: JSON.parse(WEATHER) });
  expect(readAnswer(answer("plain text", { contentType: "text/plain" }), null)).toEqual({ output: "plain text" });
});

test.each([
  ["$.current.words", "clear"],
  ["$.current.temperature", "3.5"],
  ["$.days[1]", '{"max":7}'],
  ["$.days[*].max", "[5,7]"],
  ["$..max", "[5,7]"],
  ["$.days[?@.max > 6].max", "[7]"],
  ["$.none[*]", "[]"],
])("%s picks %s", (path, output) => {
  expect(readAnswer(answer(WEATHER), path).output).toBe(output);
});

test("a path that names one thing that is not there says so, with the beginning of the answer", () => {
  expect(() => readAnswer(answer('{"message":"quota exceeded"}'), "$.current")).toThrow(
    'The answer has nothing at $.current: {"message":"quota exceeded"}',
  );
});

test.each([
  [404, '{"error":{"message":"No such city"}}', "HTTP status 404: No such city"],
  [422, '{"detail":[{"loc":["query","q"],"msg":"field required"}]}', "field required"],
  [500, "<html><head><title>Bad gateway</title></head></html>", "Bad gateway"],
  [503, "", "HTTP status 503."],
])("status %i fails the call with the service's own words", (status, text, words) => {
  expect(() => readAnswer(answer(text, { status }), null)).toThrow(words);
});

test("an answer without content is done, and one that is no text says what it is", () => {
  expect(readAnswer(answer("", { status: 204 }), "$.x").output).toBe("Done (HTTP 204, without content).");
  expect(() => readAnswer(answer("�PNG\0", { contentType: "image/png" }), null)).toThrow(
    "image/png, which is not text",
  );
  expect(() => readAnswer(answer("a\0b", { contentType: "" }), null)).toThrow("bytes, which is not text");
});

test("a path is asked of JSON only, and never with somebody's regular expression", () => {
  expect(() => readAnswer(answer("hello", { contentType: "text/plain" }), "$.a")).toThrow(
    "did not answer with JSON: hello",
  );
  expect(() => readAnswer(answer(WEATHER), "$.days[?match(@.max, '(a+)+')]")).toThrow();
});

test.each([
  ["$..a..b", "only once"],
  ["$..[?@..b]", "only once"],
  ["$[?count($[*]) > 1]", "only at the beginning"],
  ["$[?@.a == $['b']]", "only at the beginning"],
  [`$${"[0,0]".repeat(8)}`, "more than 200 values"],
  ["$['a]','..','$,,,,']..b[0]..c", "only once"],
])("%s is refused, because a service could make it take for ever", (path, words) => {
  expect(() => readAnswer(answer(WEATHER), path)).toThrow(words);
});

test("dots, roots and commas in quotes are names", () => {
  const text = JSON.stringify({ "a..b..c": { "$,$": [1, 2, 3] } });
  expect(readAnswer(answer(text), "$['a..b..c'][\"$,$\"][0,1,2]").output).toBe("[1,2,3]");
  expect(readAnswer(answer(JSON.stringify({ "it's..": { x: 1 } })), "$['it\\'s..']..x").output).toBe("[1]");
});

test("a path finds in a hostile answer no more than the answer has", () => {
  const chain = `${'{"a":'.repeat(45)}1${"}".repeat(45)}`;
  const text = `[${Array.from({ length: 4_000 }, () => chain).join(",")}]`;
  expect(readAnswer(answer(text), "$..b").output).toBe("[]");
  expect(() => readAnswer(answer(text), "$..*")).toThrow("more than the whole answer");
  expect(() => readAnswer(answer(text), "$..[?@.a]")).toThrow("more than the whole answer");
  expect(() => readAnswer(answer("[".repeat(5_000) + "]".repeat(5_000)), "$..b")).toThrow();
});
