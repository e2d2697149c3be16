import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findAllFolded, fold, foldWithPlaces } from "./fold";

const findFolded = (whole: string, words: string) => findAllFolded(foldWithPlaces(whole), fold(words), 1)[0];

test.each([
  ["Russian", "План: ОТПУСК в Июле", "план: отпуск в июле"],
  ["the Russian yo, and й as its own letter", "Ёлка Мой МОИ", "елка мой мои"],
  ["Ukrainian", "КИЇВ", "київ"],
  ["Greek with its final sigma", "Ο Οδυσσεύς ΟΔΥΣΣΕΎΣ", "ο οδυσσευσ οδυσσευσ"],
  ["German", "Straße STRASSE STRAẞE Größe", "strasse strasse strasse grosse"],
  ["Turkish", "İstanbul ISTANBUL ıstanbul", "istanbul istanbul istanbul"],
  ["Vietnamese", "Đường phố HÀ NỘI", "duong pho ha noi"],
  ["Polish", "Zażółć gęślą JAŹŃ Łódź", "zazolc gesla jazn lodz"],
  ["Arabic with its vowels", "مُحَمَّد أحمد", "محمد احمد"],
  [
    "Arabic as people write it",
    "مستشفى المدينة مستشفي المدينه ٱلكتاب إلى آخر",
    "مستشفي المدينه مستشفي المدينه الكتاب الي اخر",
  ],
  ["Persian on either keyboard", "کتابی كتابي", "كتابي كتابي"],
  ["Icelandic", "Þórður ÞÓRÐUR Thordur", "thordur thordur thordur"],
  ["the digits of every script", "٢٠٢٦ ۲۰۲۶ २०२६ ๒๐๒๖ ２０２６ \u{1e952}\u{1d7da}", "2026 2026 2026 2026 2026 22"],
  ["kana as two alphabets", "かな カナ", "かな カナ"],
  ["Hebrew with its points", "שָׁלוֹם", "שלום"],
  ["width and kana", "ＡＢＣ ﾀﾜｰ ガか", "abc タワー ガか"],
  ["half-width voicing", "ｶﾞ", "ガ"],
  ["Hangul in letters", "한국".normalize("NFD"), "한국"],
  ["ligatures", "ﬁn Œuvre Æther", "fin oeuvre aether"],
  ["Hindi as it is", "हिन्दी", "हिन्दी"],
  ["Thai as it is", "ภาษาไทย น้ำ", "ภาษาไทย น้ํา"],
])("folds %s", (_, text, folded) => {
  expect(fold(text)).toBe(folded);
  expect(fold(text.normalize("NFD"))).toBe(fold(text.normalize("NFC")));
});

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(..."ßẞİıςΣﬁй́̈ё각가がﾞŁđ ﷺ"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
});

test("folding what is folded changes nothing", () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(fold(fold(written))).toBe(fold(written));
    }),
    { numRuns: 2_000 },
  );
});

test("every character folds to what stays as it is", () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const folded = fold(String.fromCodePoint(code));
    if (fold(folded) !== folded) throw new Error(`U+${code.toString(16)}`);
  }
});

test("a text is found by its own words in any case", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("Отпуск", "Straße", "İstanbul", "Łódź", "Ὀδυσσεύς", "ﬁn", "ﾀﾜｰ", "мой"), {
        minLength: 1,
      }),
      fc.nat(),
      (words, pick) => {
        const word = words[pick % words.length] ?? "";
        for (const query of [word, word.toUpperCase(), word.toLowerCase(), word.normalize("NFD")]) {
          const found = findFolded(words.join(" "), query);
          expect(fold(words.join(" ").slice(found?.start, found?.end))).toBe(fold(word));
        }
      },
    ),
  );
});

describe("a place is one of the text as it is written", () => {
  test.each([
    ["Die STRAßE dort", "strasse", "STRAßE"],
    ["Die Straße dort", "stras", "Straß"],
    ["ein \u{1d400}\u{1d401}c da", "abc", "\u{1d400}\u{1d401}c"],
    ["le cafe\u0301 noir", "CAFÉ", "cafe\u0301"],
    ["🎉 Отпуск!", "отпуск", "Отпуск"],
  ])("%s", (whole, query, part) => {
    const found = findFolded(whole, query);
    expect(whole.slice(found?.start, found?.end)).toBe(part);
  });
});

test("long texts take time in proportion", () => {
  const long = `${"ﷺẞ́".repeat(300_000)}${"\u0315\u0300".repeat(200_000)}`;
  expect(fold(long).length).toBeLessThan(3 * long.length);
});
