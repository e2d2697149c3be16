// The types of ringmaster/client: each route of the OpenAPI document with what it takes and answers.
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { z } from "zod";

const Schema = z.custom<JSONSchema>((value) => typeof value === "object" && value !== null);
const Content = z.record(z.string(), z.object({ schema: Schema }));
const Parameter = z.object({ name: z.string(), in: z.enum(["path", "query"]), required: z.boolean(), schema: Schema });
const Operation = z.object({
  summary: z.string(),
  parameters: z.array(Parameter),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
type Operation = z.infer<typeof Operation>;
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

const JSON_TYPE = "application/json";

/** The file that declares `Routes`, one route a line. */
export async function clientRoutes(document: unknown): Promise<string> {
  const { paths } = Document.parse(document);
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      routeSchema(operation),
    ]),
  );
  const text = await compile(objectOf(Object.fromEntries(routes)), "Routes", {
    bannerComment: "",
    format: false,
    // As tuples, lists of up to 20 would be unions of 21 types.
    ignoreMinAndMaxItems: true,
  });
  return `// Written by \`npm run generate\`.\n\n${onePerLine(text)}`;
}

function routeSchema(operation: Operation): JSONSchema {
  const path = parametersIn(operation, "path");
  const query = parametersIn(operation, "query");
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const parts = {
    ...(path ? { path } : {}),
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    reply: replySchema(operation),
  };
  const isOptional = (name: string) => name === "query" && !query?.required;
  const required = Object.keys(parts).filter((name) => !isOptional(name));
  return { ...objectOf(parts, required), description: operation.summary };
}

function parametersIn({ parameters }: Operation, place: "path" | "query"): JSONSchema | null {
  const own = parameters.filter((parameter) => parameter.in === place);
  if (own.length === 0) return null;
  const required = own.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  return objectOf(Object.fromEntries(own.map(({ name, schema }) => [name, schema])), required);
}

/** JSON parsed, anything else as the Response; nothing for 204. */
function replySchema({ responses }: Operation): JSONSchema {
  const replies = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const schemas = replies.map(([, { content }]): JSONSchema => {
    if (content === undefined) return { tsType: "undefined" };
    return content[JSON_TYPE]?.schema ?? { tsType: "Response" };
  });
  return schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas };
}

function objectOf(properties: Record<string, JSONSchema>, required = Object.keys(properties)): JSONSchema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** What is inside a route on its line, so that a change of the file names the routes that changed. */
function onePerLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  let depth = 0;
  let isComment = false;
  const joined = lines.map((line) => {
    const isText = isComment || line.startsWith("/*");
    isComment = isText && !line.endsWith("*/");
    if (isText) return commentLine(line);
    depth += line.split("{").length - line.split("}").length;
    const mark = depth > 0 && !line.endsWith("{") ? ";" : "";
    return `${line}${mark}${depth <= 1 ? "\n" : " "}`;
  });
  return joined.join("");
}

function commentLine(line: string): string {
  const text = line.startsWith("*") && line !== "*/" ? line.slice(1).trim() : line;
  return text === "" ? "" : `${text} `;
}
