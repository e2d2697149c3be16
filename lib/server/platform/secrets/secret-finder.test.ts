import { describe, expect, test } from "vitest";
import { createSecretFinder } from "./secret-finder";

const KEY = 'k9-Zx81/ab+"Q\\7?=ü';
const WORDS = "correct-horse-battery";
const LONGER = "k9-Zx81/ab+longer-9";
const finder = createSecretFinder([KEY, WORDS, "short1", LONGER, LONGER.slice(0, -4)]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

const REDACTED: [where: string, text: string, redacted: string][] = [
  ["alone", KEY, "[redacted]"],
  ["between letters", `a${KEY}b`, "a[redacted]b"],
  ["twice in a row", KEY + KEY, "[redacted][redacted]"],
  ["in JSON", JSON.stringify({ key: KEY }), '{"key":"[redacted]"}'],
  ["in JSON within JSON", JSON.stringify(JSON.stringify({ key: KEY })), '"{\\"key\\":\\"[redacted]\\"}"'],
  ["in an address", `?k=${encodeURIComponent(KEY)}&x`, "?k=[redacted]&x"],
  [
    "with small escapes",
    `?k=${encodeURIComponent(LONGER).replaceAll(/%../g, (written) => written.toLowerCase())}`,
    "?k=[redacted]",
  ],
  [
    "in JSON that Python wrote",
    `{"key":"${JSON.stringify(KEY).slice(1, -1).replace("ü", "\\u00fc")}"}`,
    '{"key":"[redacted]"}',
  ],
  [
    "in JSON that PHP wrote",
    `{"key":"${JSON.stringify(KEY).slice(1, -1).replace("ü", "\\u00fc").replace("/", "\\/")}"}`,
    '{"key":"[redacted]"}',
  ],
  ["in HTML", `<b>${KEY.replace('"', "&quot;")}</b>`, "<b>[redacted]</b>"],
  ["in hexadecimal", `0x${Buffer.from(KEY).toString("hex")}`, "0x[redacted]"],
  ["in hexadecimal with capitals", Buffer.from(KEY).toString("hex").toUpperCase(), "[redacted]"],
  [
    "in an address within an address",
    `?next=${encodeURIComponent(`?k=${encodeURIComponent(KEY)}`)}`,
    "?next=%3Fk%3D[redacted]",
  ],
  ["words after an escape", JSON.stringify(`line\n${WORDS}`), '"line\\n[redacted]"'],
  ["words between marks", `"${WORDS}",${WORDS}.`, '"[redacted]",[redacted].'],
];

const KEPT = ["", "short1", `${WORDS}s`, `un${WORDS}`, KEY.slice(0, -1), "plain text without any of them"];

test.each(REDACTED)("a secret %s is redacted", (_where, text, redacted) => {
  expect(finder.redact(text)).toBe(redacted);
});

test.each(KEPT)("%j stays", (text) => {
  expect(finder.redact(text)).toBe(text);
});

test.each([0, 1, 2, 3])(
  "inside base64 of a text in which %i characters come first, nothing of the secret is left",
  (before) => {
    const written = base64(`${"u".repeat(before)}:${KEY}:end`);
    const left = Buffer.from(finder.redact(written).replace("[redacted]", ""), "base64").toString();
    expect(finder.redact(written)).toContain("[redacted]");
    expect(left).not.toContain(KEY.slice(1, 5));
  },
);

test("of two secrets that begin alike the longer one is taken", () => {
  expect(finder.redact(LONGER)).toBe("[redacted]");
});

describe("a stream", () => {
  const texts = [...REDACTED.map(([, text]) => text), ...KEPT, `say ${WORDS}ness, ${WORDS} and ${KEY}`];
  test.each(texts)("of %j is as the whole text, wherever it is cut", (text) => {
    const whole = finder.redact(text);
    for (const size of [1, 2, 3, 5, 7, 11, 13]) {
      const stream = finder.stream();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        stream.push(text.slice(index * size, (index + 1) * size)),
      );
      expect(pieces.join("") + stream.end()).toBe(whole);
    }
  });

  test("holds back only what may begin a secret", () => {
    const stream = finder.stream();
    expect(stream.push("Hello: ")).toBe("Hello: ");
    expect(stream.push("correct-horse")).toBe("");
    expect(stream.push("s, ")).toBe("correct-horses, ");
  });
});

test("5 MB cost less than reading them as JSON, with 200 secrets", () => {
  const secrets = Array.from({ length: 200 }, (_, index) => `sk-${index}-${base64(`secret ${index * 7_919}`)}`);
  const many = createSecretFinder(secrets);
  const entries = Array.from({ length: 60_000 }, (_, index) => ({ index, name: `file-${index * 31}`, text: "A fox" }));
  const json = JSON.stringify(entries).padEnd(5_000_000, " ");
  const fastest = (work: () => unknown) => {
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };
  expect(many.redact(json)).toBe(json);
  expect(fastest(() => many.redact(json))).toBeLessThan(fastest(() => JSON.parse(json)));
});
