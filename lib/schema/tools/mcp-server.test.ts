import { expect, test } from "vitest";
import { CreateMcpServerBody } from "./mcp-server";

const http = (change: object) =>
  CreateMcpServerBody.safeParse({ id: "own", transport: "http", url: "https://mcp.example.test/", ...change }).success;
const stdio = (change: object) =>
  CreateMcpServerBody.safeParse({ id: "own", transport: "stdio", command: "node", ...change }).success;

test.each([
  "secret\r\nx-admin: 1",
  "secret\nx-admin: 1",
  "secret\rx",
  "a\0b",
  "clé",
  "ключ",
  "\u2013",
  "\u{1f511}",
  "a\u0085b",
  "a\u2028b",
  "\x7f",
  "  ",
])("%j is no value of a header and no token", (value) => {
  expect([http({ headers: { "x-key": value } }), http({ token: value })]).toEqual([false, false]);
});

test.each([
  "Host",
  "content-length",
  "Transfer-Encoding",
  "connection",
  "Mcp-Session-Id",
  ":path",
  "x y",
  "x:",
  "",
  "é",
])("%j is no header that a person sets", (name) => expect(http({ headers: { [name]: "value" } })).toBe(false));

test("tokens and values are taken without what was copied around them", () => {
  const body = { id: "own", transport: "http", url: "https://mcp.example.test/" };
  const given = { headers: { Authorization: " Basic abc== \n" }, token: "token-1\n" };
  expect(CreateMcpServerBody.parse({ ...body, ...given })).toMatchObject({
    headers: { Authorization: "Basic abc==" },
    token: "token-1",
  });
  expect(http({ headers: { "x-key": { set: true } }, token: { set: true } })).toBe(true);
});

test("a program's arguments and variables have no NUL, and may have anything else", () => {
  expect([stdio({ args: ["a\0b"] }), stdio({ env: { A: "a\0b" } })]).toEqual([false, false]);
  expect(stdio({ args: ["zwei\nZeilen ✓"], env: { A: "zwei\nZeilen ✓" } })).toBe(true);
});
