import { expect, test } from "vitest";
import { cutHistory } from "./cut-history";

test.for<[string, string, string]>([
  [
    "what Gmail quotes",
    "Yes, do it.\n\nOn Mon, 23 Nov 2026 at 09:00, Agent <a@b.example>\nwrote:\n\n> Shall I?\n> Really?\n",
    "Yes, do it.",
  ],
  [
    "what Apple Mail quotes in German",
    "Ja.\n\nAm 23.11.2026 um 09:00 schrieb Agent <a@b.example>:\n> Soll ich?",
    "Ja.",
  ],
  ["what Thunderbird quotes in German", "Ja.\n\nAgent schrieb am 23.11.26 um 09:00:\n> Soll ich?", "Ja."],
  [
    "what Outlook puts below",
    "Yes.\n\n________________________________\nFrom: Agent\nSent: Monday\nTo: Petra\n\nShall I?",
    "Yes.",
  ],
  [
    "what Outlook puts below without a line",
    "Yes.\n\nFrom: Agent <a@b.example>\nSent: Monday\nTo: Petra\nSubject: x\n\nShall I?",
    "Yes.",
  ],
  ["an original message", "Yes.\n-----Original Message-----\nShall I?", "Yes."],
  ["a signature", "Yes.\n\n-- \nPetra Example\nAcme", "Yes."],
  ["what a phone adds", "Yes.\n\nSent from my iPhone\n", "Yes."],
  ["a quote above the answer", "On Monday, Agent wrote:\n> Shall I?\n\nYes, please.", "Yes, please."],
  ["quotes between answers", "> One?\nYes.\n> Two?\nNo.", "Yes.\nNo."],
])("cuts %s", ([, text, own]) => expect(cutHistory(text)).toBe(own));

test("keeps what only looks like it", () => {
  const text = "From: what I have seen, it works.\n\nOn Monday we wrote three things:\n\n- one -- two\n1 > 0";
  expect(cutHistory(text)).toBe(text);
});
