import { describe, expect, test } from "vitest";
import { ISSUES_API } from "@/lib/testing/openapi/issues-api";
import { PAYMENTS_API } from "@/lib/testing/openapi/payments-api";
import { WEATHER_API } from "@/lib/testing/openapi/weather-api";
import { readOpenApi } from "./read-openapi";

const read = (document: unknown, address: string | null = null) => readOpenApi(JSON.stringify(document), address);
const issues = read(ISSUES_API);
const find = (id: string) => issues.operations.find((operation) => operation.id === id);

test("title, address and the header of the key come from the document", () => {
  expect(issues).toMatchObject({
    title: "Issues",
    servers: ["https://issues.example.test/v3"],
    auth: { header: "Authorization", prefix: "Bearer " },
  });
  expect(read(PAYMENTS_API)).toMatchObject({
    servers: ["https://payments.example.test"],
    auth: { header: "X-Key", prefix: "" },
  });
});

test("an operation becomes a tool: its parameters are arguments, those of its path too", () => {
  expect(find("issues/list-for-repo")).toEqual({
    id: "issues/list-for-repo",
    name: "issues_list_for_repo",
    method: "GET",
    path: "/repos/{owner}/{repo}/issues",
    summary: "List issues",
    readOnly: true,
    request: {
      method: "GET",
      path: "/repos/{owner}/{repo}/issues",
      query: { state: "{state}", "labels[]": "{labels}", per_page: "{per_page}" },
      headers: [{ name: "X-Api-Version", value: "{X_Api_Version}" }],
      body: null,
      arguments: {
        type: "object",
        properties: {
          owner: { type: "string" },
          repo: { type: "string", description: "Without .git" },
          state: { type: ["string", "null"], enum: ["open", "closed", null] },
          labels: { type: "array", items: { type: "string" } },
          per_page: { type: "integer", exclusiveMinimum: 0 },
          X_Api_Version: { type: "string" },
        },
        required: ["owner", "repo"],
      },
    },
  });
});

test("the fields of a body are arguments, without those that the service fills in", () => {
  const request = find("issues/create")?.request;
  expect(request?.body).toEqual({ body: "{body}", title: "{title}", parent: "{parent}", url: "{url}" });
  expect(request?.arguments.required).toEqual(["owner", "repo", "title"]);
  expect(request?.arguments.properties).toMatchObject({
    title: { type: "string" },
    url: { type: "string", format: "uri" },
  });
  expect(JSON.stringify(request).length, "a schema that contains itself ends").toBeLessThan(20_000);
});

test("a body that is one of several is an argument as a whole", () => {
  expect(find("issues/update")?.request).toMatchObject({
    body: "{body}",
    arguments: { required: ["owner", "repo", "number", "body"] },
  });
});

test("without an id the method and path are one, and a path that nobody described has arguments all the same", () => {
  expect(find("DELETE /repos/{owner}/{repo}/issues/{number}")).toMatchObject({
    name: "delete_repos_owner_repo_issues_number",
    readOnly: false,
    request: { path: "/repos/{owner}/{repo}/issues/{number}", arguments: { required: ["owner", "repo", "number"] } },
  });
});

test("what one operation can't do is its own problem", () => {
  expect(find("upload")).toMatchObject({
    request: null,
    problem: "Its body is multipart/form-data, which a tool does not send.",
  });
  expect(find("elsewhere")).toMatchObject({
    request: null,
    problem: expect.stringContaining("outside of the document"),
  });
  expect(issues.operations).toHaveLength(6);
});

test("YAML of 3.1 with a relative server continues the document's own address", () => {
  const { servers, auth, operations } = readOpenApi(WEATHER_API, "https://weather.example.test/docs/openapi.yml");
  expect([servers, auth]).toEqual([["https://weather.example.test/v1"], null]);
  expect(operations[0]?.request).toMatchObject({
    query: { hourly: "{hourly}", latitude: "{latitude}", longitude: "{longitude}", units: "{units}" },
    arguments: {
      properties: { units: { type: ["string", "null"], default: "metric" } },
      required: ["latitude", "longitude"],
    },
  });
  expect(readOpenApi(WEATHER_API, null).servers, "nothing to continue").toEqual([]);
});

test("forms are sent as forms; of two arguments of one name the second gets a number", () => {
  const [get, post] = read(PAYMENTS_API).operations;
  expect(get?.request).toMatchObject({ query: { "expand[]": "{expand}" } });
  expect(post?.request).toMatchObject({
    path: "/v1/charges/{charge}",
    headers: [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }],
    body: { amount: "{amount}", charge: "{charge_2}" },
    arguments: { required: ["charge"] },
  });
});

test("operations of one name and one id each get their own", () => {
  const get = { operationId: "list" };
  const paths = { "/a": { get }, "/b": { get }, "/c": { get: { operationId: "List" } } };
  const { operations } = read({ openapi: "3.0.0", paths });
  expect(operations.map(({ id, name }) => [id, name])).toEqual([
    ["list", "list"],
    ["list (2)", "list_2"],
    ["List", "list_3"],
  ]);
});

test.each([
  [{ swagger: "2.0", paths: {} }, "This is Swagger 2.0"],
  [{ openapi: "4.0.0" }, "This is OpenAPI 4.0.0"],
  [{ info: {} }, "it has no field “openapi”"],
  [{ openapi: "3.1.0", paths: {} }, "has no operations"],
  [{ openapi: "3.1.0", paths: [] }, "has no operations"],
  [[], "it has no fields"],
  ["text", "it has no fields"],
])("%o is refused with what it is", (document, words) => {
  expect(() => read(document)).toThrow(words);
});

test("text that is neither JSON nor YAML says where it breaks off", () => {
  expect(() => readOpenApi("{ openapi: [", null)).toThrow("neither JSON nor YAML");
});

test("aliases that multiply are refused instead of read", () => {
  const levels = Array.from({ length: 30 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`);
  expect(() => readOpenApi(`openapi: 3.1.0\na0: &a0 x\n${levels.join("\n")}`, null)).toThrow();
});

describe("a hostile document", () => {
  const body = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const post = (schema: unknown, schemas: object = {}) => ({
    openapi: "3.1.0",
    paths: { "/a": { post: { operationId: "a", requestBody: body(schema) } } },
    components: { schemas },
  });
  const nested = (levels: number, around: (inner: unknown) => unknown) => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < levels; level += 1) schema = around(schema);
    return schema;
  };

  test("with 100,000 operations gives the first 2,000", () => {
    const paths = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`/p${at}`, { get: {} }]));
    expect(read({ openapi: "3.0.0", paths }).operations).toHaveLength(2_000);
  });

  test.each<[string, () => unknown]>([
    [
      "a reference to itself",
      () => post({ $ref: "#/components/schemas/A" }, { A: { $ref: "#/components/schemas/A" } }),
    ],
    [
      "a parameter that is the document",
      () => ({ openapi: "3.1.0", paths: { "/a": { get: { operationId: "a", parameters: [{ $ref: "#" }] } } } }),
    ],
    [
      "references that double at each level",
      () =>
        post(
          { $ref: "#/components/schemas/S0" },
          Object.fromEntries(
            Array.from({ length: 60 }, (_, at) => {
              const next = { $ref: `#/components/schemas/S${at + 1}` };
              return [`S${at}`, { type: "object", properties: { a: next, b: next, c: { allOf: [next, next] } } }];
            }),
          ),
        ),
    ],
    ["a schema of 100 levels", () => post(nested(100, (inner) => ({ type: "object", properties: { a: inner } })))],
    ["lists of 100 levels", () => post({ allOf: nested(100, (inner) => [inner]) })],
    [
      "an object of 50,000 properties",
      () =>
        post({
          type: "object",
          properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])),
        }),
    ],
  ])("with %s is read, and what it makes is small", (_, document) => {
    const [operation] = read(document()).operations;
    expect(operation?.id).toBe("a");
    expect(JSON.stringify(operation).length).toBeLessThan(3_000_000);
  });

  test("that nests too deeply is refused, and does not hang", () => {
    expect(() => readOpenApi(`{"openapi": "3.1.0", "paths": ${'{"a":'.repeat(50_000)}`, null)).toThrow();
    expect(() => readOpenApi(`openapi: 3.1.0\npaths: ${"[".repeat(50_000)}`, null)).toThrow();
  });

  test("gives no field of every object a meaning", () => {
    const document = `{"openapi": "3.1.0", "paths": {"/a": {"post": {"operationId": "a", "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"__proto__": {"type": "string"}, "constructor": {"$ref": "#/__proto__/x"}}}}}}}}}}`;
    const [operation] = readOpenApi(document, null).operations;
    expect(({} as { type?: string }).type).toBeUndefined();
    expect(JSON.stringify(operation)).not.toContain("[object");
  });

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "ftp://a.example",
    "http://user:pass@a.example/",
    "//evil.example/x",
  ])("names no server that cannot be called: %s", (url) => {
    const { servers } = readOpenApi(
      JSON.stringify({ ...post({}), servers: [{ url }] }),
      "https://api.example/openapi.json",
    );
    for (const server of servers) expect(new URL(server).protocol).toMatch(/^https?:$/);
    expect(servers.join()).not.toContain("pass");
  });
});
