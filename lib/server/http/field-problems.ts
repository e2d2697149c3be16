import { z } from "zod";
import type { FieldProblem } from "@/lib/schema/app-error";

type Issue = z.core.$ZodIssue;
type JsonSchema = z.core.JSONSchema.BaseSchema;
type PathPart = PropertyKey;

/** A problem with its path also in parts, for code that needs to find the place in a text. */
export interface LocatedProblem extends FieldProblem {
  readonly parts: readonly string[];
}

/**
 * Zod's issues for people: an unknown field is reported with the nearest known name, and a union reports the branch
 * that was probably meant. `schema` is the one that failed.
 */
export function describeIssues(error: z.ZodError, schema: z.ZodType): LocatedProblem[] {
  const lazyDocument = { value: undefined as JsonSchema | undefined };
  return describePlainIssues(error.issues, () => {
    lazyDocument.value ??= z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return lazyDocument.value;
  });
}

/** The same for issues without a zod schema, where only the JSON Schema is known. */
export function describePlainIssues(issues: readonly Issue[], document: () => JsonSchema): LocatedProblem[] {
  return issues.flatMap((issue) => describeIssue(issue, [], document));
}

function describeIssue(issue: Issue, prefix: readonly PathPart[], document: () => JsonSchema): LocatedProblem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => problem([...path, key], unknownField(key, knownFields(document(), path))));
  }
  const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : null;
  if (branch) return branch.flatMap((inner) => describeIssue(inner, path, document));
  return [problem(path, issue.message)];
}

function problem(path: readonly PathPart[], message: string): LocatedProblem {
  const parts = path.map(String);
  return { path: parts.join("."), message, parts };
}

/** The branch whose outermost type fits; null when none does. */
function meantBranch(branches: readonly Issue[][]): Issue[] | null {
  return branches.find((issues) => !issues.some((i) => i.path.length === 0 && i.code === "invalid_type")) ?? null;
}

function unknownField(key: string, known: readonly string[]): string {
  const nearest = nearestOf(key, known);
  return nearest === undefined ? "Unknown field." : `Unknown field. Did you mean "${nearest}"?`;
}

/** The known name closest to the given one. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
}

/** Names of the fields that the schema knows at `path`. */
function knownFields(document: JsonSchema, path: readonly PathPart[]): string[] {
  const [part, ...rest] = path;
  const variants = [document, ...(document.anyOf ?? []), ...(document.oneOf ?? [])] as JsonSchema[];
  if (part === undefined) return variants.flatMap((variant) => Object.keys(variant.properties ?? {}));
  return variants.flatMap((variant) => {
    const next = typeof part === "number" ? variant.items : variant.properties?.[String(part)];
    return next && typeof next === "object" && !Array.isArray(next) ? knownFields(next as JsonSchema, rest) : [];
  });
}

/** Levenshtein distance. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of [...left.slice(0, 100)].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (character === right[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
