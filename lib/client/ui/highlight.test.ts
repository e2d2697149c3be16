import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlightLine, languageOf } from "./highlight";

describe("languageOf", () => {
  it("knows no language by a name that every object has", () => {
    for (const name of ["constructor", "a.constructor", "__proto__"]) expect(languageOf(name)).toBe("plain");
  });
});

describe("highlightLine", () => {
  it("keeps every character of any line in any language", () => {
    void fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("a.ts", "a.py", "a.sh", "a.sql", "a.yaml", "a.html", "a"),
        (line, name) => {
          expect(
            highlightLine(line, languageOf(name))
              .map((token) => token.text)
              .join(""),
          ).toBe(line);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("tells keywords, calls, strings, numbers and comments apart", () => {
    const looks = highlightLine('return round(end, 12) + "a" // why', languageOf("x.ts"))
      .filter((token) => token.look !== "plain")
      .map((token) => [token.text, token.look]);
    expect(looks).toEqual([
      ["return", "key"],
      ["round", "fn"],
      ["12", "number"],
      ['"a"', "string"],
      ["// why", "comment"],
    ]);
  });

  it("colours the tags and attributes of a page, not the words between them", () => {
    const looks = highlightLine(`<p class="a">It's "so"</p> <!-- why -->`, languageOf("index.html"))
      .filter((token) => token.look !== "plain")
      .map((token) => [token.text, token.look]);
    expect(looks).toEqual([
      ["<p", "key"],
      ["class", "fn"],
      ['"a"', "string"],
      [">", "key"],
      ["</p>", "key"],
      ["<!-- why -->", "comment"],
    ]);
  });

  it("leaves a language that it does not know uncoloured", () => {
    expect(highlightLine("return 1", languageOf("text"))).toEqual([{ text: "return 1", look: "plain" }]);
  });
});
