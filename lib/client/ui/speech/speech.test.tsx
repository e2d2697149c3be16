import { afterEach, expect, test, vi } from "vitest";
import { appendSpoken, startDictation } from "./dictation";
import { piecesOf, readAloud } from "./read-aloud";

afterEach(() => vi.unstubAllGlobals());

class Recognition {
  static last: Recognition;
  lang = "";
  starts = 0;
  onresult: (event: object) => void = () => undefined;
  onerror: (event: object) => void = () => undefined;
  onend = () => undefined;
  constructor() {
    Recognition.last = this;
  }
  start() {
    this.starts += 1;
  }
  stop() {
    this.onend();
  }
  says(transcript: string, isFinal: boolean) {
    this.onresult({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal })] });
  }
}

function dictate() {
  vi.stubGlobal("webkitSpeechRecognition", Recognition);
  const heard: string[] = [];
  const stop = startDictation("de-CH", {
    onText: (text) => heard.push(`text ${text}`),
    onInterim: (text) => heard.push(`interim ${text}`),
    onEnd: (problem) => heard.push(`end ${problem}`),
  });
  return { heard, stop, recognition: Recognition.last };
}

test("words come as they are understood, in the language that was chosen, until it is stopped", () => {
  const { heard, stop, recognition } = dictate();
  expect(recognition.lang).toBe("de-CH");
  recognition.says("guten", false);
  recognition.says("Guten Tag", true);
  stop();
  expect(heard).toEqual(["interim guten", "text Guten Tag", "interim ", "end null"]);
});

test("a silence does not end it", () => {
  const { heard, recognition } = dictate();
  recognition.onerror({ error: "no-speech" });
  recognition.onend();
  expect([recognition.starts, heard]).toEqual([2, []]);
});

test("a microphone that is not allowed ends it, and says what to do", () => {
  const { heard, recognition } = dictate();
  recognition.onerror({ error: "not-allowed" });
  recognition.onend();
  expect(heard).toEqual([
    "end The browser does not allow the microphone here. Allow it in the address bar, then dictate again.",
  ]);
});

test("what is said goes behind what is written", () => {
  expect(appendSpoken("", "a")).toBe("a");
  expect(appendSpoken("Dear all,", "hello")).toBe("Dear all, hello");
  expect(appendSpoken("Dear all,\n", "hello")).toBe("Dear all,\nhello");
});

test("a reply is read without its marks, in short pieces", () => {
  expect(
    piecesOf("## Done\n\nThe **date** is [here](https://x.org). Next:\n\n- one\n\n```ts\nconst a = 1;\n```"),
  ).toEqual(["Done", "The date is here.", "Next:", "one", "A block of code."]);
  const long = piecesOf("word ".repeat(200));
  expect(Math.max(...long.map(({ length }) => length))).toBeLessThanOrEqual(200);
  expect(long.join(" ").split(" ")).toHaveLength(200);
});

test("stopping ends the reading once", () => {
  const spoken: { text: string; onend?: () => void }[] = [];
  const synthesis = { cancel: vi.fn(), speak: (utterance: { text: string }) => spoken.push(utterance) };
  vi.stubGlobal("speechSynthesis", synthesis);
  vi.stubGlobal(
    "SpeechSynthesisUtterance",
    class {
      text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  );
  const onEnd = vi.fn();
  const stop = readAloud("One. Two.", onEnd);
  expect(spoken.map(({ text }) => text)).toEqual(["One.", "Two."]);
  stop();
  spoken.at(-1)?.onend?.();
  expect(onEnd).toHaveBeenCalledTimes(1);
});
