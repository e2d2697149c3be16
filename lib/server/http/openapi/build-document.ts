import { z } from "zod";
import type { RouteDefinition } from "@/lib/server/http/route";

type JsonObject = Record<string, unknown>;

/** The app's route modules by Next path (`/agents/[id]`), with their exported methods. */
export type RouteModules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The OpenAPI 3.1 document of the routes, generated from the schemas that validate their requests. */
export function buildOpenApiDocument(modules: RouteModules, info: { version: string; url: string }): JsonObject {
  const paths = Object.entries(modules).map(([path, module]) => [toTemplate(path), describePath(path, module)]);
  return {
    openapi: "3.1.0",
    info: { title: "Ringmaster", version: info.version },
    servers: [{ url: info.url }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key (rm_…)" },
        session: { type: "apiKey", in: "cookie", name: "ringmaster.session_token" },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
  };
}

/** The methods of a module that are routes, with their definitions. */
export function definitionsOf(module: Readonly<Record<string, unknown>>): [string, RouteDefinition][] {
  return METHODS.flatMap((method) => {
    const route = module[method];
    if (typeof route !== "function" || !("definition" in route)) return [];
    return [[method, route.definition as RouteDefinition] as [string, RouteDefinition]];
  });
}

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" }, details: {} },
    },
  },
};

function describePath(path: string, module: Readonly<Record<string, unknown>>): JsonObject {
  const operations = definitionsOf(module).map(([method, definition]) => [
    method.toLowerCase(),
    describeOperation(path, method, definition),
  ]);
  return Object.fromEntries(operations);
}

function describeOperation(path: string, method: string, definition: RouteDefinition): JsonObject {
  const { access, summary, status = 200, otherReplies = {} } = definition;
  const body = definition.bodyDocument ?? definition.body;
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, letter = "") => letter.toUpperCase())}`,
    tags: [path.split("/").find((part) => part !== "" && part !== "api") ?? "root"],
    summary: access === "public" ? summary : `${summary} (scope ${access})`,
    parameters: [...pathParameters(path, definition.params), ...queryParameters(definition.query)],
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: toSchema(body, "input") } } } }
      : {}),
    responses: {
      [status]: describeSuccess(definition, status),
      ...Object.fromEntries(Object.entries(otherReplies).map(([other, reply]) => [other, describeJson(reply)])),
      default: {
        description: "An error",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
    security: access === "public" ? [] : [{ apiKey: [] }, { session: [] }],
  };
}

function describeSuccess({ reply, produces }: RouteDefinition, status: number): JsonObject {
  if (status === 204) return { description: "Done" };
  const json = reply ? describeJson(reply).content : {};
  return {
    description: "OK",
    content: { ...json, ...(produces ? { [produces]: { schema: { type: "string" } } } : {}) },
  };
}

function describeJson(reply: z.ZodType) {
  return { description: "OK", content: { "application/json": { schema: toSchema(reply, "output") } } };
}

function pathParameters(path: string, params: z.ZodType | undefined): JsonObject[] {
  const properties = params ? propertiesOf(toSchema(params, "input")) : {};
  return [...path.matchAll(/\[([^\][]+)\]/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: properties[name] ?? { type: "string" },
  }));
}

function queryParameters(query: z.ZodType | undefined): JsonObject[] {
  if (!query) return [];
  const schema = toSchema(query, "input");
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: property,
  }));
}

function propertiesOf(schema: JsonObject): Record<string, unknown> {
  return typeof schema.properties === "object" && schema.properties !== null ? { ...schema.properties } : {};
}

function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function toTemplate(path: string): string {
  return path.replaceAll(/\[([^\][]+)\]/g, "{$1}");
}
