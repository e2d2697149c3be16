import type { z } from "zod";

type Issue = z.core.$ZodIssue;

export interface FlatIssue {
  readonly path: readonly PropertyKey[];
  readonly issue: Issue;
  /** Of a field that the schema does not have. */
  readonly unknownKey?: string;
}

/** One by one, with whole paths: a union reports the branch that was probably meant. */
export function* flattenIssues(
  issues: readonly Issue[],
  prefix: readonly PropertyKey[] = [],
): Generator<FlatIssue, void> {
  for (const issue of issues) {
    const path = [...prefix, ...issue.path];
    const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : null;
    if (branch) yield* flattenIssues(branch, path);
    else if (issue.code !== "unrecognized_keys") yield { path, issue };
    else for (const unknownKey of issue.keys) yield { path, issue, unknownKey };
  }
}

/** The branch whose outermost type fits; null if none does. */
function meantBranch(branches: readonly Issue[][]): Issue[] | null {
  return branches.find((issues) => !issues.some((i) => i.path.length === 0 && i.code === "invalid_type")) ?? null;
}
