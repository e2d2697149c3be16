import { z } from "zod";
import type { FieldProblem } from "@/lib/schema/app-error";
import { flattenIssues } from "@/lib/schema/problems/flatten-issues";
import { issueMessage } from "@/lib/schema/problems/issue-message";
import { nearestName } from "@/lib/schema/problems/nearest-name";

type Issue = z.core.$ZodIssue;
type JsonSchema = z.core.JSONSchema.BaseSchema;
type PathPart = PropertyKey;

/** A problem whose path is also given in parts, for code that needs to find the place in a text. */
export interface LocatedProblem extends FieldProblem {
  readonly parts: readonly string[];
}

/** The maximum number described: nobody reads more, and describing each of 60,000 would block everybody else. */
const MAX_DESCRIBED = 20;
/** Of the name of a field. */
const MAX_NAME_CHARS = 100;

/**
 * Zod's issues in readable form, the first 20: an unknown field is reported with the nearest known name, and a union
 * reports the branch that was probably meant. `schema` is the one that failed.
 */
export function describeIssues(error: z.ZodError, schema: z.ZodType): LocatedProblem[] {
  const lazyDocument = { value: undefined as JsonSchema | undefined };
  return describePlainIssues(error.issues, () => {
    lazyDocument.value ??= z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return lazyDocument.value;
  });
}

/** The same for issues without a zod schema, if only the JSON Schema is known. */
export function describePlainIssues(issues: readonly Issue[], document: () => JsonSchema): LocatedProblem[] {
  const described: LocatedProblem[] = [];
  for (const { path, issue, unknownKey } of flattenIssues(issues)) {
    if (described.length === MAX_DESCRIBED) break;
    if (unknownKey === undefined) described.push(problem(path, issueMessage(issue)));
    else described.push(problem([...path, unknownKey], unknownField(unknownKey, knownFields(document(), path))));
  }
  return described;
}

/** How many problems `describeIssues` omitted. */
export function countUndescribed({ issues }: z.ZodError): number {
  let count = 0;
  for (const _ of flattenIssues(issues)) count += 1;
  return Math.max(0, count - MAX_DESCRIBED);
}

function problem(path: readonly PathPart[], message: string): LocatedProblem {
  const parts = path.map(String);
  return { path: parts.map(shortened).join("."), message, parts };
}

/** The caller's own name of a field may be a megabyte. */
function shortened(name: string): string {
  return name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS).toWellFormed()}…`;
}

function unknownField(key: string, known: readonly string[]): string {
  // A field of another variant of the union.
  if (known.includes(key)) return "Can't be combined with the other fields.";
  const nearest = nearestName(key, known);
  return nearest === undefined ? "Unknown field." : `Unknown field. Did you mean "${nearest}"?`;
}

/** Names of the schema's fields at `path`. */
function knownFields(document: JsonSchema, path: readonly PathPart[]): string[] {
  const [part, ...rest] = path;
  const variants = [document, ...(document.anyOf ?? []), ...(document.oneOf ?? [])] as JsonSchema[];
  if (part === undefined) return variants.flatMap((variant) => Object.keys(variant.properties ?? {}));
  return variants.flatMap((variant) => {
    const next = typeof part === "number" ? variant.items : variant.properties?.[String(part)];
    return next && typeof next === "object" && !Array.isArray(next) ? knownFields(next as JsonSchema, rest) : [];
  });
}
