import { z } from "zod";

const Report = z.object({
  diagnostics: z.array(
    z.object({
      severity: z.string(),
      message: z.string(),
      category: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.number() }).optional() }).optional(),
    }),
  ),
});

type Diagnostic = z.infer<typeof Report>["diagnostics"][number];

/** The largest sizes that stand; biome.json warns earlier, and a rule has only one level there. */
const LIMITS: Readonly<Record<string, number>> = {
  "lint/style/noExcessiveLinesPerFile": 800,
  "lint/complexity/noExcessiveCognitiveComplexity": 20,
  "lint/complexity/noExcessiveLinesPerFunction": Number.POSITIVE_INFINITY,
  "lint/complexity/useMaxParams": Number.POSITIVE_INFINITY,
};

/**
 * What a report of Biome (`--reporter=json`) holds against a commit: everything but sizes below `LIMITS`, of which it
 * only says how many places are larger than comfortable.
 */
export function judgeLint(report: unknown): { readonly problems: string[]; readonly large: number } {
  const { diagnostics } = Report.parse(report);
  const standing = diagnostics.filter(isSmallEnough);
  const problems = diagnostics.filter((diagnostic) => !standing.includes(diagnostic)).map(describeDiagnostic);
  return { problems, large: standing.length };
}

/** The first number of Biome's message is the size that it found. */
function isSmallEnough({ severity, category, message }: Diagnostic): boolean {
  const limit = LIMITS[category];
  if (limit === undefined || severity === "error") return false;
  return limit === Number.POSITIVE_INFINITY || Number(/\d+/.exec(message)?.[0]) <= limit;
}

function describeDiagnostic({ category, message, location }: Diagnostic): string {
  const place = location === undefined ? "" : `${location.path}:${location.start?.line ?? 1} `;
  return `${place}${category}: ${message}`;
}
