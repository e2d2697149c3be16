import "server-only";
import { type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import type { MaskingRule, TriedMasking, TryMaskingBody } from "@/lib/schema/settings/settings";
import { currentSettings } from "./settings-state";

interface CompiledRule {
  readonly name: string;
  readonly count: (text: string) => number;
  readonly apply: (text: string) => string;
}

/** RE2's running time is proportional to this size times the length of the text. */
const MAX_PROGRAM_SIZE = 2_000;

/** Loaded only if there are rules. */
const loadRe2 = () => import("re2js");

/** Throws `invalid_input` naming every rule whose pattern is not valid RE2 or matches the empty text. */
export async function compileRules(rules: readonly MaskingRule[], path = "masking.rules"): Promise<CompiledRule[]> {
  if (rules.length === 0) return [];
  const { RE2JS } = await loadRe2();
  const problems: FieldProblem[] = [];
  const compiled = rules.flatMap(({ name, pattern, replacement }, index) => {
    try {
      const expression = RE2JS.compile(pattern);
      if (expression.matcher("").find()) {
        problems.push({ path: `${path}.${index}.pattern`, message: "must not match an empty text" });
        return [];
      }
      if (expression.programSize() > MAX_PROGRAM_SIZE) {
        problems.push({ path: `${path}.${index}.pattern`, message: "is too complex; use smaller repeat counts" });
        return [];
      }
      const groups = [...replacement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      if (groups.some((group) => group > expression.groupCount())) {
        problems.push({
          path: `${path}.${index}.replacement`,
          message: "names a group that the pattern does not have",
        });
        return [];
      }
      const rule: CompiledRule = {
        name,
        apply: (text) => expression.matcher(text).replaceAll(replacement),
        count(text) {
          const matcher = expression.matcher(text);
          let count = 0;
          while (matcher.find()) count += 1;
          return count;
        },
      };
      return [rule];
    } catch (error) {
      const reason = error instanceof Error ? error.message : "is not a pattern of RE2";
      problems.push({ path: `${path}.${index}.pattern`, message: reason });
      return [];
    }
  });
  refuseFields(problems);
  return compiled;
}

/** The text as the rules would mask it, and what each rule found; nothing is stored. */
export async function tryMasking({ text, rules }: TryMaskingBody): Promise<TriedMasking> {
  const compiled = await compileRules(rules ?? currentSettings().masking.rules, "rules");
  const hits: TriedMasking["hits"] = [];
  let masked = text;
  for (const { name, count, apply } of compiled) {
    const found = count(masked);
    if (found > 0) hits.push({ name, count: found });
    masked = apply(masked);
  }
  return { text: masked, hits };
}
