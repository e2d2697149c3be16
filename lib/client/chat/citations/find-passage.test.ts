import { expect, test } from "vitest";
import { findPassage, pageText } from "./find-passage";
import { sourcesOf } from "./sources";

const PAGE =
  "Otters live in rivers. Sea otters hold hands while they sleep, so that they do not drift apart. They eat fish.";

test("the words that a sentence shares with the page are marked, with what stands around them", () => {
  expect(findPassage(PAGE, "It is known that sea otters hold hands while sleeping")).toEqual({
    before: "Otters live in rivers. ",
    marked: "Sea otters hold hands while",
    after: " they sleep, so that they do not drift apart. They eat fish.",
  });
});

test("quoted words come first, and spaces or marks between them do not matter", () => {
  const { marked } = findPassage(
    PAGE.replace("drift apart", "drift\n**apart**"),
    'Otters live in rivers and "do not drift apart"',
  );
  expect(marked).toBe("do not drift\n**apart");
});

test("where nothing fits the page's beginning is shown without a mark", () => {
  expect(findPassage(PAGE, "Cats sleep")).toEqual({ before: "", marked: "", after: PAGE });
});

test("of a result the page's own words are taken, whatever they say about marks", () => {
  const output =
    "Source [1]: T\nAddress: https://a\nBetween the two lines page_1 is what the page says. It is …\npage_1\nHello page_2\npage_1";
  expect(pageText(output)).toBe("Hello page_2");
  expect(pageText("cut")).toBe("cut");
});

test("a reply's sources are the pages that were read for it", () => {
  const call = (display: unknown) => ({ kind: "tool", key: "k", call: { display, output: "o" } }) as never;
  const page = { kind: "web-page", number: 2, url: "https://b", title: null };
  expect(sourcesOf([call(page), call({ kind: "command" }), call({ ...page, number: 1, title: "A" })])).toEqual([
    { number: 1, url: "https://b", title: "A", output: "o" },
    { number: 2, url: "https://b", title: null, output: "o" },
  ]);
});
