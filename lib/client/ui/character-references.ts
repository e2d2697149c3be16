import { decodeNamedCharacterReference } from "decode-named-character-reference";

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/gu;
const HIGHEST = 0x10_ff_ff;

/** `&amp;`, `&#35;` and `&#x22;` as the characters they stand for; a name that HTML does not know stays as it is. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
    return character(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10));
  });
}

function character(point: number): string {
  const isLone = point >= 0xd8_00 && point <= 0xdf_ff;
  return point === 0 || point > HIGHEST || isLone ? "\ufffd" : String.fromCodePoint(point);
}
