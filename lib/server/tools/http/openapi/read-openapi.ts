import { SharedError } from "@/lib/schema/shared-error";
import type { ReadDocument, ReadOperation } from "@/lib/schema/tools/openapi-import";
import { parseYamlDocument } from "@/lib/text/yaml/parse-document";
import { findReference, isFields, type JsonFields, textField } from "./document-fields";
import { readOperation } from "./read-operation";

const METHODS = ["get", "put", "post", "delete", "patch"] as const;
const MAX_OPERATIONS = 2_000;

/** Why a document can't be imported at all, in words meant for the person who imports it. */
export class OpenApiRefused extends SharedError {
  static override readonly kind = "OpenApiRefused";
}

/**
 * The operations of an OpenAPI 3.0 or 3.1 document, JSON or YAML, read leniently: what one operation lacks or says in an
 * unknown way is that operation's problem alone. `address` is where the document came from, which a relative server
 * address continues. Throws OpenApiRefused.
 */
export function readOpenApi(text: string, address: string | null): ReadDocument {
  const root = parse(text);
  refuseOtherVersions(root);
  const operations = operationsOf(root);
  if (operations.length === 0) throw new OpenApiRefused("The document has no operations under paths.");
  return {
    title: textField(isFields(root.info) ? root.info : {}, "title") || "Untitled API",
    servers: serversOf(root, address),
    auth: authOf(root),
    operations: withOwnNames(operations),
  };
}

function parse(text: string): JsonFields {
  const root = parseJson(text) ?? parseYaml(text);
  if (!isFields(root)) throw new OpenApiRefused("It is not an OpenAPI document: it has no fields.");
  return root;
}

/** Most documents are JSON, which is read many times as fast; undefined for any other. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseYaml(text: string): unknown {
  const { document, lines } = parseYamlDocument(text, { uniqueKeys: false });
  const [problem] = document.errors;
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new OpenApiRefused(`It is neither JSON nor YAML: ${problem.message} at line ${line}, column ${col}`);
  }
  return document.toJS({ maxAliasCount: 1_000 });
}

function refuseOtherVersions(root: JsonFields): void {
  if (typeof root.swagger === "string" || typeof root.swagger === "number") {
    throw new OpenApiRefused(
      `This is Swagger ${root.swagger}. Only OpenAPI 3.0 and 3.1 can be imported: convert it first, for example with the Swagger editor (Edit › Convert to OpenAPI 3).`,
    );
  }
  const version = String(root.openapi ?? "");
  if (version === "") throw new OpenApiRefused("It is not an OpenAPI document: it has no field “openapi”.");
  if (!/^3(?:\.|$)/.test(version)) {
    throw new OpenApiRefused(`This is OpenAPI ${version.slice(0, 20)}. Only 3.0 and 3.1 can be imported.`);
  }
}

function operationsOf(root: JsonFields): ReadOperation[] {
  const paths = Object.entries(isFields(root.paths) ? root.paths : {});
  const found = paths.flatMap(([path, given]) => {
    const item = findReference(root, given);
    if (!isFields(item)) return [];
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isFields(operation) ? [{ path, method, operation, shared: item.parameters }] : [];
    });
  });
  return found.slice(0, MAX_OPERATIONS).map((operation) => readOperation(root, operation));
}

/** Of two operations of one name the second gets a number, and so does one of two equal ids. */
function withOwnNames(operations: readonly ReadOperation[]): ReadOperation[] {
  const names = new Set<string>();
  const ids = new Set<string>();
  return operations.map((operation) => {
    const id = unused(operation.id, ids, (number) => `${operation.id} (${number})`);
    const name = unused(operation.name, names, (number) => `${operation.name.slice(0, 60)}_${number}`);
    return { ...operation, id, name };
  });
}

function unused(wanted: string, taken: Set<string>, numbered: (number: number) => string): string {
  let chosen = wanted;
  for (let number = 2; taken.has(chosen); number += 1) chosen = numbered(number);
  taken.add(chosen);
  return chosen;
}

function serversOf(root: JsonFields, address: string | null): string[] {
  const given = Array.isArray(root.servers) && root.servers.length > 0 ? root.servers : [{ url: "/" }];
  const addresses = given.flatMap((server) => {
    if (!isFields(server)) return [];
    const filled = withVariables(textField(server, "url"), isFields(server.variables) ? server.variables : {});
    const url = URL.parse(filled, address ?? undefined);
    const isCallable = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
    return isCallable ? [url.href.replace(/\/$/, "")] : [];
  });
  return [...new Set(addresses)].slice(0, 20);
}

function withVariables(url: string, variables: JsonFields): string {
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isFields(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });
}

/** The first scheme that is a header: what most services want. */
function authOf(root: JsonFields): ReadDocument["auth"] {
  const components = isFields(root.components) ? root.components : {};
  const schemes = Object.values(isFields(components.securitySchemes) ? components.securitySchemes : {});
  const headers = schemes.map((scheme) => authHeader(findReference(root, scheme)));
  return headers.find((header) => header !== null) ?? null;
}

function authHeader(scheme: unknown): ReadDocument["auth"] {
  if (!isFields(scheme)) return null;
  const type = textField(scheme, "type").toLowerCase();
  if (type === "apikey") {
    return textField(scheme, "in") === "header"
      ? { header: textField(scheme, "name") || "X-API-Key", prefix: "" }
      : null;
  }
  if (type !== "http" && type !== "oauth2" && type !== "openidconnect") return null;
  const isBasic = textField(scheme, "scheme").toLowerCase() === "basic";
  return { header: "Authorization", prefix: isBasic ? "Basic " : "Bearer " };
}
