import type { ReadOperation } from "@/lib/schema/tools/openapi-import";
import { RequestMethod } from "@/lib/schema/tools/request-tool";
import { findReference, isFields, type JsonFields, textField } from "./document-fields";
import { inlineSchema } from "./inline-schema";

/** What a tool can send, the best first. */
const BODY_TYPES = [
  /^application\/(?:[\w.-]*\+)?json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^(?:text\/|\*\/\*)/,
];
const MAX_DESCRIPTION = 1_000;

interface Given {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonFields;
  /** The parameters of all operations of the path. */
  readonly shared: unknown;
}

/** A tool's request while it is put together. */
interface Draft {
  readonly properties: JsonFields;
  readonly required: string[];
  readonly query: Record<string, string>;
  readonly headers: { name: string; value: string }[];
  path: string;
  body: string | JsonFields | null;
}

/** The operation as a tool: its parameters and the fields of its body become the arguments. */
export function readOperation(root: JsonFields, given: Given): ReadOperation {
  const { path, method, operation } = given;
  const own = textField(operation, "operationId");
  const summary = textField(operation, "summary") || textField(operation, "description");
  const head = {
    id: own === "" ? `${method.toUpperCase()} ${path}` : own,
    name: toolName(own === "" ? `${method} ${path}` : own),
    method: method.toUpperCase(),
    path,
    summary: summary.slice(0, MAX_DESCRIPTION),
    readOnly: method === "get",
  };
  try {
    return { ...head, request: requestOf(root, given) };
  } catch (error) {
    return { ...head, request: null, problem: error instanceof Error ? error.message : "It can't be read." };
  }
}

/** `getUserById` → `get_user_by_id`. */
function toolName(text: string): string {
  const words = wordsIn(text.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
  return words.join("_").toLowerCase().slice(0, 64) || "operation";
}

function wordsIn(text: string): string[] {
  return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

function requestOf(root: JsonFields, { path, method, operation, shared }: Given): ReadOperation["request"] {
  const draft: Draft = { properties: {}, required: [], query: {}, headers: [], path: literal(path), body: null };
  for (const parameter of parametersOf(root, shared, operation.parameters)) addParameter(root, draft, parameter);
  for (const [, name = ""] of draft.path.matchAll(UNDESCRIBED)) addUndescribed(draft, name);
  addBody(root, draft, findReference(root, operation.requestBody));
  const { query, headers, body, properties, required } = draft;
  return {
    method: RequestMethod.parse(method.toUpperCase()),
    path: draft.path,
    ...{ query, headers, body: method === "get" ? null : body },
    arguments: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
  };
}

const UNDESCRIBED = /\{\{([^{}]{1,100})\}\}/g;

/** A part of the path without a parameter is one all the same. */
function addUndescribed(draft: Draft, name: string): void {
  const argument = addArgument(draft, name, { schema: { type: "string" }, isRequired: true });
  draft.path = draft.path.replaceAll(`{{${name}}}`, `{${argument}}`);
}

/** Until its parameter is known, a placeholder has two braces. */
function literal(path: string): string {
  return path.replace(/\{([^{}]{1,100})\}/g, "{{$1}}");
}

/** The operation's own take the place of the path's with the same name and place. */
function parametersOf(root: JsonFields, ...lists: readonly unknown[]): JsonFields[] {
  const found = new Map<string, JsonFields>();
  for (const given of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = findReference(root, given);
    if (!isFields(parameter)) throw new Error("A parameter refers to something outside of the document.");
    found.set(`${textField(parameter, "in")} ${textField(parameter, "name")}`, parameter);
  }
  return [...found.values()];
}

/** Headers that the tool sends anyway, or that its secret is. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

function addParameter(root: JsonFields, draft: Draft, parameter: JsonFields): void {
  const name = textField(parameter, "name");
  const place = textField(parameter, "in");
  const isRequired = parameter.required === true || place === "path";
  if (place === "header" && OWN_HEADERS.has(name.toLowerCase())) return;
  if (place === "cookie") {
    if (isRequired) throw new Error(`It needs the cookie ${name}, which a tool does not send.`);
    return;
  }
  const argument = addArgument(draft, name, { schema: parameterSchema(root, parameter), isRequired });
  if (place === "path") draft.path = draft.path.replaceAll(`{{${name}}}`, `{${argument}}`);
  else if (place === "query") draft.query[name] = `{${argument}}`;
  else if (place === "header") draft.headers.push({ name, value: `{${argument}}` });
  else throw new Error(`The parameter ${name} has an unknown place: ${place || "none"}.`);
}

function parameterSchema(root: JsonFields, parameter: JsonFields): JsonFields {
  const content = isFields(parameter.content) ? Object.values(parameter.content)[0] : undefined;
  const schema = inlineSchema(root, parameter.schema ?? (isFields(content) ? content.schema : undefined));
  const description = textField(parameter, "description");
  return description === "" ? schema : { ...schema, description: description.slice(0, MAX_DESCRIPTION) };
}

interface Argument {
  readonly schema: JsonFields;
  readonly isRequired: boolean;
}

/** Returns the argument's name: `filter[name]` → `filter_name`; of two equal ones the second gets a number. */
function addArgument({ properties, required }: Draft, name: string, { schema, isRequired }: Argument): string {
  const words = wordsIn(name).join("_").slice(0, 80);
  const plain = /^[A-Za-z_]/.test(words) ? words : `_${words}`;
  let argument = plain;
  for (let number = 2; Object.hasOwn(properties, argument); number += 1) argument = `${plain}_${number}`;
  properties[argument] = schema;
  if (isRequired) required.push(argument);
  return argument;
}

function addBody(root: JsonFields, draft: Draft, given: unknown): void {
  if (!isFields(given)) return;
  const isRequired = given.required === true;
  const content = isFields(given.content) ? Object.entries(given.content) : [];
  const [type, media] = BODY_TYPES.map((pattern) => content.find(([name]) => pattern.test(name))).find(Boolean) ?? [];
  if (type === undefined) {
    if (isRequired) throw new Error(`Its body is ${content[0]?.[0] ?? "of no type"}, which a tool does not send.`);
    return;
  }
  if (type !== "*/*" && !/^application\/json$/i.test(type)) draft.headers.push({ name: "Content-Type", value: type });
  draft.body = bodyOf(draft, inlineSchema(root, isFields(media) ? media.schema : undefined), isRequired);
}

/** Each field of an object is an argument; any other body is one as a whole. */
function bodyOf(draft: Draft, schema: JsonFields, isRequired: boolean): Draft["body"] {
  const fields = fieldsOf(schema);
  if (fields === null) return `{${addArgument(draft, "body", { schema, isRequired })}}`;
  const body = Object.entries(fields.properties).map(([name, field]) => {
    const isFieldRequired = isRequired && fields.required.includes(name);
    return [
      name,
      `{${addArgument(draft, name, { schema: isFields(field) ? field : {}, isRequired: isFieldRequired })}}`,
    ];
  });
  return Object.fromEntries(body);
}

/** The fields of an object that has only these, so that each can be an argument; null for other bodies. */
function fieldsOf(schema: JsonFields): { properties: JsonFields; required: unknown[] } | null {
  const parts = Array.isArray(schema.allOf) ? [schema, ...schema.allOf.filter(isFields)] : [schema];
  if (parts.some((part) => part.anyOf !== undefined || part.oneOf !== undefined)) return null;
  if (parts.some((part) => isFields(part.additionalProperties))) return null;
  const properties = Object.assign({}, ...parts.map((part) => (isFields(part.properties) ? part.properties : {})));
  if (Object.keys(properties).length === 0) return null;
  return { properties, required: parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])) };
}
