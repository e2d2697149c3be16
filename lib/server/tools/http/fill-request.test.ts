import { describe, expect, test } from "vitest";
import { fillRequest, type RequestTemplate } from "./fill-request";

const template = (change: Partial<RequestTemplate>): RequestTemplate => ({
  method: "GET",
  url: "https://api.example.test/items",
  query: {},
  headers: [],
  body: null,
  ...change,
});
const fill = (change: Partial<RequestTemplate>, args: Record<string, unknown>) => fillRequest(template(change), args);

describe("the address", () => {
  test("an argument of the path is encoded as one step of it", () => {
    const { url } = fill({ url: "https://api.example.test/items/{id}/notes" }, { id: "a/b ?#ü" });
    expect(url).toBe("https://api.example.test/items/a%2Fb%20%3F%23%C3%BC/notes");
  });

  test.each([".", ".."])("%s does not climb out of the path", (id) => {
    expect(() => fill({ url: "https://api.example.test/items/{id}/notes" }, { id })).toThrow("must not be . or ..");
    expect(() => fill({ url: "https://api.example.test/items/.{id}" }, { id: "." })).toThrow("must not be . or ..");
  });

  test.each([undefined, null, ""])("an argument of the path that is %s does not name the whole list", (id) => {
    expect(() => fill({ method: "DELETE", url: "https://api.example.test/items/{id}" }, { id })).toThrow(
      "must not be empty",
    );
  });

  test("an argument in the written query is encoded, and may be left out", () => {
    const url = "https://api.example.test/items?q={q}&sort=new";
    expect(fill({ url }, { q: "a&b=c" }).url).toBe("https://api.example.test/items?q=a%26b%3Dc&sort=new");
    expect(fill({ url }, {}).url).toBe("https://api.example.test/items?q=&sort=new");
  });

  test("parameters: one per entry of a list, none for an argument that is left out, fixed ones always", () => {
    const query = { tag: "{tags}", page: "{page}", around: "{lat},{lon}", key: "x" };
    const { url } = fill({ query }, { tags: ["a", "b c"], lat: 52.5, lon: 13.4 });
    expect(new URL(url).search).toBe("?tag=a&tag=b+c&around=52.5%2C13.4&key=x");
    expect(new URL(fill({ query }, { page: 0, lat: 1 }).url).search).toBe("?page=0&key=x");
  });

  test("what is not the name of an argument stays as it is", () => {
    expect(fill({ query: { q: "{ x } {unknown}" } }, { x: 1, unknown: "y" }).url).toContain("q=%7B+x+%7D+y");
  });
});

describe("headers", () => {
  test("a secret is sent as it is, an argument is filled in, and one that is left out takes its header along", () => {
    const headers = [
      { name: "Authorization", value: "Bearer {id}", isSecret: true },
      { name: "X-Tenant", value: "t-{tenant}", isSecret: false },
      { name: "X-Trace", value: "{trace}", isSecret: false },
    ];
    expect(fill({ headers }, { id: "x", tenant: 7 }).headers).toEqual({
      Authorization: "Bearer {id}",
      "X-Tenant": "t-7",
    });
  });

  test.each(["a\r\nX-Evil: 1", "ü", "\0"])("an argument can't begin another header: %j", (tenant) => {
    const headers = [{ name: "X-Tenant", value: "{tenant}", isSecret: false }];
    expect(() => fill({ headers }, { tenant })).toThrow("printable ASCII");
  });
});

describe("the body", () => {
  const body = (content: unknown, args: Record<string, unknown>, type?: string) => {
    const headers = type === undefined ? [] : [{ name: "Content-Type", value: type, isSecret: false }];
    const filled = fill({ method: "POST", body: content, headers }, args);
    return [filled.headers["content-type"] ?? filled.headers["Content-Type"], filled.body];
  };

  test("a text that is one placeholder becomes the argument with its type; fields that are left out disappear", () => {
    const content = { city: "{city}", days: "{days}", note: "for {city}", tags: ["{tag}", "fixed"], gone: "{gone}" };
    expect(body(content, { city: "Oslo", days: 3, tag: null })).toEqual([
      "application/json",
      '{"city":"Oslo","days":3,"note":"for Oslo","tags":["fixed"]}',
    ]);
  });

  test("false, 0 and an empty text are values", () => {
    expect(body({ a: "{a}", b: "{b}", c: "{c}" }, { a: false, b: 0, c: "" })[1]).toBe('{"a":false,"b":0,"c":""}');
  });

  test("JSON that is written as text is JSON, so that quotes in an argument can't break out", () => {
    expect(body('{"q": "{q}", "n": "{n}"}', { q: '"} evil', n: 2 })).toEqual([
      "application/json",
      '{"q":"\\"} evil","n":2}',
    ]);
  });

  test("one placeholder is the whole body: an object as JSON, a text as text", () => {
    expect(body("{body}", { body: { a: 1 } })).toEqual(["application/json", '{"a":1}']);
    expect(body("{body}", { body: "plain" })).toEqual(["text/plain; charset=utf-8", "plain"]);
    expect(body("{body}", { body: "quoted" }, "application/json")).toEqual(["application/json", '"quoted"']);
  });

  test("a form is encoded as one, from fields and from text", () => {
    const type = "application/x-www-form-urlencoded";
    expect(body({ q: "{q}", tag: "{tags}" }, { q: "a&b", tags: [1, 2] }, type)).toEqual([type, "q=a%26b&tag=1&tag=2"]);
    expect(body("q={q}&x=1", { q: "a&b" }, type)).toEqual([type, "q=a%26b&x=1"]);
  });

  test("other text keeps braces that name no argument", () => {
    expect(body("query { viewer(login: {login}) }", { login: "ada" })[1]).toBe("query { viewer(login: ada) }");
  });
});
