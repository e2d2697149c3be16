import { describe, expect, test } from "vitest";
import { processorTimeMs } from "@/lib/testing/reading/processor-time";
import { createSecretFinder } from "./secret-finder";

const KEY = "sk-Zx81ab7Qpl0042-and-some-more-of-it";
const base64 = Buffer.from(KEY).toString("base64");
const hex = Buffer.from(KEY).toString("hex");
const finder = createSecretFinder([KEY, "correct-horse-battery", "short1", `${KEY}-longer`, "0000000000000000"]);

/** What separates the symbols of an encoding, and the beginnings of forms: all that the finder reads on from. */
const PUMPS: readonly string[] = [
  ..."\n\r\t >\\%=0xu#-:,;&_.'\"|+/aZ",
  "\r\n",
  " \n",
  "\n ",
  `\n${" ".repeat(60)}`,
  "\n> ",
  "> > ",
  "a\n",
  "ab\n",
  "abcd\n",
  "=\n",
  "\\n",
  "\\\n",
  "\\r\\n",
  "\\\\n",
  "\\u000a",
  "\\u0",
  "%0a",
  "%0A%20",
  "%2b",
  "0x",
  "\\x",
  "0x0",
  "00 ",
  "0\n",
  "00000000: ",
  "0000000 0000 0000\n",
  "00000000  00 00 00 00 |....|\n",
  "|\n",
  KEY.slice(0, 4),
  `${KEY.slice(0, 4)}\n`,
  KEY.slice(0, -1),
  `${KEY.slice(0, -1)}\n`,
  [...KEY.slice(0, -1)].join("\n"),
  base64.slice(0, 5),
  `${base64.slice(0, 30)}\n`,
  [...base64.slice(0, 30)].join("\\n"),
  hex.slice(0, 9),
  hex.slice(0, -2).match(/../g)?.join(":") ?? "",
  hex
    .slice(0, -2)
    .match(/../g)
    ?.join(`${" ".repeat(60)}`) ?? "",
];

function inPieces(text: string, characters: number): string {
  const stream = finder.stream();
  let shown = "";
  for (let at = 0; at < text.length; at += characters) shown += stream.push(text.slice(at, at + characters));
  return shown + stream.end();
}

describe.each([
  ["at once", 20_000, (text: string) => finder.redact(text)],
  ["in pieces of a network", 20_000, (text: string) => inPieces(text, 1_400)],
  ["in tokens", 10_000, (text: string) => inPieces(text, 4)],
])("a text that comes %s", (_way, characters, redact) => {
  test.each(PUMPS.map((pump) => [JSON.stringify(pump).slice(0, 40), pump]))(
    "as %s over and over takes time in proportion",
    (_, pump) => {
      const [shorterMs = 0, longerMs] = [characters / 4, characters].map((size) =>
        processorTimeMs(() => redact(pump.repeat(Math.ceil(size / pump.length)))),
      );
      // With the square of the length the longer one takes 16 times as long: for line ends that was 3 s.
      expect(longerMs, `${shorterMs} ms for a quarter of it`).toBeLessThan(8 * shorterMs + 150);
    },
  );
});

test.each(["\n", "\r\n", "\n "])("%j alone costs little more than prose of the same length", (pump) => {
  const [proseMs, blanksMs] = ["Some words of prose in a line.\n", pump].map((unit) => {
    const text = unit.repeat(60_000 / unit.length);
    return Math.min(...Array.from({ length: 5 }, () => processorTimeMs(() => finder.redact(text))));
  });
  expect(blanksMs).toBeLessThan(5 * (proseMs ?? 0) + 20);
});
