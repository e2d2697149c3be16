import { expect, test } from "vitest";
import { addressesIn } from "./mail-address";

test.for<[string, string[]]>([
  ["ada@example.net", ["ada@example.net"]],
  ["Ada <Ada@Example.NET>", ["ada@example.net"]],
  ['"Ada, Countess" <ada@example.net>', ["ada@example.net"]],
  ['"boss@acme.example" <ada@example.net>', ["ada@example.net"]],
  ['"a \\" quote@x" <ada@example.net>', ["ada@example.net"]],
  ["Ada L. Lovelace <ada@example.net>", ["ada@example.net"]],
  ["=?utf-8?q?Ada=40home?= <ada@example.net>", ["ada@example.net"]],
  ["ada@example.net (Ada (at home) @work)", ["ada@example.net"]],
  ["(before) ada (in) @ (between) example.net (after)", ["ada@example.net"]],
  ['"ada"@example.net', ["ada@example.net"]],
  ['"ada lovelace"@example.net', ['"ada lovelace"@example.net']],
  ['"ada@home"@example.net', ['"ada@home"@example.net']],
  ['Ada <"a\\"b"@example.net>', ['"a\\"b"@example.net']],
  ["ada+x.y_z'%@sub.example.net", ["ada+x.y_z'%@sub.example.net"]],
  ["адa@пример.example", ["адa@пример.example"]],
  ["ada@[192.0.2.1]", ["ada@[192.0.2.1]"]],
  ["Team: Ada <ada@example.net>;", ["ada@example.net"]],
  [
    "Team: ada@example.net, bob@example.net;, eve@example.net",
    ["ada@example.net", "bob@example.net", "eve@example.net"],
  ],
  ["Nobody:;", []],
  [",ada@example.net,", ["ada@example.net"]],
])("finds the addresses in %s", ([header, addresses]) => expect(addressesIn(header)).toEqual(addresses));

test.for([
  ["an address as an unquoted name", "boss@acme.example <ada@example.net>"],
  ["two addresses without a comma", "ada@example.net bob@example.net"],
  ["an address after the angles", "<ada@example.net> bob@example.net"],
  ["two in angles", "Ada <ada@example.net><bob@example.net>"],
  ["a comment that does not end", "ada@example.net (Ada"],
  ["quotes that do not end", '"Ada <ada@example.net>'],
  ["a group that does not end", "Team: ada@example.net"],
  ["no domain", "ada"],
  ["no local part", "@example.net"],
  ["dots without words", "ada..b@example.net"],
  ["a space in a name without quotes", "ada lovelace@example.net"],
  ["two at signs", "ada@home@example.net"],
])("understands no header with %s", ([, header = ""]) => expect(addressesIn(header)).toBeNull());

test("reads a long header in a time that grows with its length", () => {
  const took = (size: number) => {
    const began = performance.now();
    for (const text of ["(", '"', "a.", "a@", "<", "\\", "a,", " "]) addressesIn(text.repeat(size));
    return performance.now() - began;
  };
  expect(took(200_000)).toBeLessThan(2_000);
});
