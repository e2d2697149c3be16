import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import { get, set } from "react-hook-form";
import type { z } from "zod";
import { ApiError } from "@/lib/client/http/api";
import { flattenIssues } from "@/lib/schema/problems/flatten-issues";
import { issueMessage } from "@/lib/schema/problems/issue-message";

/** The field in which a person finds what stands at a path of the request. */
export type FieldOf = (path: string) => string;

/** Checks what was typed against the request's schema, in the words in which the server would refuse it. */
export function resolverOf<Typed extends FieldValues, Body>(
  schema: z.ZodType<Body, Typed>,
  fieldOf: FieldOf,
): Resolver<Typed, unknown, Body> {
  return (typed) => {
    const checked = schema.safeParse(typed);
    if (checked.success) return { values: checked.data, errors: {} };
    const errors: FieldErrors<Typed> = {};
    for (const { path, issue } of flattenIssues(checked.error.issues)) {
      const field = path.length === 0 ? "root" : fieldOf(path.map(String).join("."));
      // The form's own problem of a field comes before the request's, and says more.
      if (get(errors, field) === undefined) set(errors, field, { type: issue.code, message: issueMessage(issue) });
    }
    return { values: {}, errors };
  };
}

/** Each field's problem as a sentence, by its dotted path. */
export type Problems = ReadonlyMap<string, string>;

/** A form library's nested errors, one by one. */
export function flattenErrors(errors: object, prefix = ""): [string, string][] {
  return Object.entries(errors).flatMap(([name, error]: [string, unknown]): [string, string][] => {
    if (typeof error !== "object" || error === null) return [];
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isOne = "type" in error && "message" in error && typeof error.message === "string";
    return isOne ? [[path, sentence(String(error.message))]] : flattenErrors(error, path);
  });
}

/** The problem of a field and of its contents. */
export function problemOf(problems: Problems, field: string): string | undefined {
  const own = [...problems].filter(([path]) => isUnder(path, field));
  if (own.length === 0) return undefined;
  return own.map(([path, text]) => (path === field ? text : `${path.slice(field.length + 1)}: ${text}`)).join(" ");
}

export function isUnder(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/** What the server said about each field; nothing for other errors. */
export function refusedFields(error: unknown): Problems {
  return error instanceof ApiError ? error.problems : new Map();
}

/** "is needed" becomes "Is needed."; a whole sentence stays, as it may begin with a name. */
function sentence(problem: string): string {
  if (problem === "" || /[.!?]$/.test(problem)) return problem;
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
