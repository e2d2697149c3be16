import { describe, expect, test } from "vitest";
import { createSecretFinder } from "./secret-finder";

const KEY = 'k9-Zx81/ab+"Q\\7?=ü';
const PASSPHRASE = "correct-horse-battery";
const LONGER = "k9-Zx81/ab+longer-9";
const finder = createSecretFinder([KEY, PASSPHRASE, "short1", LONGER, LONGER.slice(0, -4)]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

const hex = Buffer.from(KEY).toString("hex");
const hexWith = (before: string, between: string) => before + (hex.match(/../g) ?? []).join(between + before);
const wrapped = (text: string, chars: number, lineBreak: string) =>
  (text.match(new RegExp(`.{1,${chars}}`, "g")) ?? []).join(lineBreak);
/** Base64 of a text in which the secret stands behind 60 others, so that a line of a mail or a PEM file breaks it. */
const inMail = base64(`${"u".repeat(45)}${KEY}`);
const url = (text: string) => Buffer.from(text).toString("base64url");
const SPLIT: readonly [where: string, text: string][] = [
  ["base64 in lines of a mail", wrapped(inMail, 76, "\r\n")],
  ["base64 in lines of a PEM file", wrapped(inMail, 64, "\n")],
  ["indented base64", wrapped(inMail, 64, "\n    ")],
  ["base64 in lines of a quoted mail", wrapped(inMail, 64, "\n> ")],
  ["base64 with line breaks in JSON", JSON.stringify({ pem: wrapped(inMail, 64, "\n") })],
  ["base64 with line breaks in JSON within JSON", JSON.stringify(JSON.stringify(wrapped(inMail, 64, "\r\n")))],
  ["base64 with line breaks in an address", `?k=${encodeURIComponent(wrapped(inMail, 64, "\r\n"))}`],
  ["base64 in an address", `?k=${encodeURIComponent(base64(LONGER))}&x`],
  ["base64 in lines of quoted-printable", wrapped(inMail, 75, "=\r\n")],
  ["base64 in lines of a shell", wrapped(inMail, 64, "\\\n")],
  ["base64 that PHP wrote in JSON", `"${base64(LONGER).replaceAll("/", "\\/")}"`],
  ["base64 for addresses, in lines", wrapped(url(`${"u".repeat(45)}${KEY}`), 64, "\n")],
  ["base64 with a line per symbol", wrapped(base64(KEY), 1, "\n")],
  ["pairs with colons", hexWith("", ":")],
  ["pairs with hyphens", hexWith("", "-").toUpperCase()],
  ["pairs with spaces", hexWith("", " ")],
  ["groups of eight", wrapped(hex, 8, " ")],
  ["numbers of a list", `[${hexWith("0x", ", ")}]`],
  ["numbers of a list with capitals", `[${hexWith("0X", ",\n  ").toUpperCase()}]`],
  ["escapes of a string", `"${hexWith("\\x", "")}"`],
  ["escapes in a text", `"${hexWith("\\u00", "")}"`],
  ["escapes of an address", hexWith("%", "")],
  ["escapes of HTML", hexWith("&#x", ";")],
  ["texts of a list", JSON.stringify(hex.match(/../g))],
  ["lines of 60", wrapped(`${"00".repeat(25)}${hex}`, 60, "\n")],
];

/** As it is, folded over lines. */
const FOLDED: readonly [where: string, text: string][] = [
  ["lines of ten", wrapped(LONGER, 10, "\n")],
  ["lines of four", wrapped(LONGER, 4, "\n")],
  ["lines of three", `see\n${wrapped(LONGER, 3, "\n")}\nthere`],
  ["lines of two in JSON", JSON.stringify({ key: wrapped(LONGER, 2, "\n") })],
  ["a line per character", wrapped(LONGER, 1, "\r\n")],
  ["a line per character among words", `one\ntwo\n${wrapped(LONGER, 1, "\n")}\nthree\nfour`],
  ["a line of one and the rest", `${LONGER[0]}\n${LONGER.slice(1)}`],
  ["the rest and a line of one", `see ${LONGER.slice(0, -1)}\r\n${LONGER.at(-1)} there`],
  ["lines with the end of another word", `the key:${wrapped(LONGER, 7, "\r\n")}, and more`],
  ["indented lines", wrapped(LONGER, 8, "\n    ")],
  ["lines with blanks at their end", wrapped(LONGER, 8, "  \n")],
  ["lines of a quoted mail", wrapped(LONGER, 8, "\n> ")],
  ["lines in JSON", JSON.stringify({ key: wrapped(LONGER, 8, "\n") })],
  ["lines in JSON within JSON", JSON.stringify(JSON.stringify({ key: wrapped(LONGER, 8, "\r\n") }))],
  ["lines of a shell", wrapped(LONGER, 8, "\\\n")],
];

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
  ["words after an escape", JSON.stringify(`line\n${PASSPHRASE}`), '"line\\n[redacted]"'],
  ["words between marks", `"${PASSPHRASE}",${PASSPHRASE}.`, '"[redacted]",[redacted].'],
];

const KEPT = [
  wrapped(base64("a text of some length without any of the secrets in it"), 20, "\n"),
  "de ad:be-ef 00 0x12 \\x7f 0",
  "",
  "short1",
  `${PASSPHRASE}s`,
  `un${PASSPHRASE}`,
  KEY.slice(0, -1),
  "plain text without any of them",
  LONGER.replace("/", "\n\n\nand\n"),
  wrapped(PASSPHRASE, 8, "\n"),
];

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

test.each(SPLIT)("of a secret in %s nothing is left", (_where, text) => {
  const redacted = finder.redact(text);
  expect(redacted).toContain("[redacted]");
  const symbols = redacted.replaceAll(/\[redacted\]|0x|\\[rn]|\\u00/gi, "").replaceAll(/[^a-z\d+/]/gi, "");
  for (const secret of [KEY, LONGER]) {
    expect(Buffer.from(symbols, "base64").toString()).not.toContain(secret.slice(2, 7));
    expect(Buffer.from(symbols, "hex").toString()).not.toContain(secret.slice(2, 7));
  }
});

test.each(FOLDED)("of a secret in %s nothing is left", (_where, text) => {
  const redacted = finder.redact(text);
  expect(redacted).toContain("[redacted]");
  expect(redacted.replaceAll(/\s|\\+[rn]/g, "")).not.toMatch(/k9-Z|x81|b\+lon|ger-9/);
});

test("JSON stays JSON where line breaks cut a secret in it", () => {
  for (const [, text] of [...SPLIT, ...FOLDED].filter(([where]) => /JSON|texts of a list/.test(where))) {
    expect(() => JSON.parse(finder.redact(text))).not.toThrow();
  }
});

test("of two secrets that begin alike the longer one is taken", () => {
  expect(finder.redact(LONGER)).toBe("[redacted]");
});

describe("a stream", () => {
  const texts = [
    ...[...REDACTED, ...SPLIT, ...FOLDED].map(([, text]) => text),
    ...KEPT,
    `say ${PASSPHRASE}ness, ${PASSPHRASE} and ${KEY}`,
  ];
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

test("5 MB cost about as much as reading them as JSON, with 200 secrets", () => {
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
  expect(fastest(() => many.redact(json))).toBeLessThan(5 * fastest(() => JSON.parse(json)));
});
