import { createRequire } from "node:module";
import { z } from "zod";
import { type AttackText, attackTexts } from "./attack-texts";
import type { LiteralPattern } from "./find-patterns";
import { growthOf, isSuperLinear, timeOf } from "./measure-pattern";

/** `linear` if the checker proved it, else the text with which the pattern is measured. */
export const Verdict = z.union([
  z.literal("linear"),
  z.strictObject({ prefix: z.string(), pump: z.string(), suffix: z.string() }),
]);
export type Verdict = z.infer<typeof Verdict>;

type Judgement = { readonly verdict: Verdict } | { readonly problem: string };

/** What is used of the checker's answer; only its automaton proves anything. */
const Checked = z.object({
  status: z.enum(["safe", "vulnerable", "unknown"]),
  checker: z.string().optional(),
  attack: z
    .object({
      pattern: z.string(),
      pumps: z.array(z.object({ prefix: z.string(), pump: z.string() })),
      suffix: z.string(),
    })
    .optional(),
});

const TIMEOUT_MS = 10_000;
/** Little, because some patterns take a minute for more. */
const PROBE_BYTES = 1_000;
const MEASURED_TEXTS = 6;

/** Has a pattern checked, and measured if the checker can't tell. Takes seconds. */
export function judgePattern({ source, flags }: LiteralPattern): Judgement {
  const { status, checker, attack } = check(source, flags);
  if (status === "safe" && checker === "automaton") return { verdict: "linear" };
  if (status === "vulnerable" && checker === "automaton") {
    return { problem: `takes more than linear time on ${attack?.pattern ?? "some text"}` };
  }
  const [found] = attack?.pumps ?? [];
  const own = attackTexts(source, flags);
  const texts = found && attack ? [{ ...found, suffix: attack.suffix }, ...own] : own;
  const slow = texts.map((text) => ({ text, timeMs: timeOf({ source, flags }, text, PROBE_BYTES) }));
  const slowest = slow.toSorted((left, right) => right.timeMs - left.timeMs).slice(0, MEASURED_TEXTS);
  const grown: { readonly text: AttackText; readonly timesMs: readonly number[] }[] = [];
  for (const { text } of slowest) {
    const timesMs = growthOf({ source, flags }, text);
    if (isSuperLinear(timesMs)) {
      return { problem: `takes ${timesMs.map(Math.round).join(", ")} ms with ${JSON.stringify(text)}` };
    }
    grown.push({ text, timesMs });
  }
  const worst = grown.toSorted((left, right) => (right.timesMs.at(-1) ?? 0) - (left.timesMs.at(-1) ?? 0))[0];
  return worst ? { verdict: worst.text } : { problem: "can be neither checked nor measured" };
}

function check(source: string, flags: string): z.infer<typeof Checked> {
  // Its other versions are programs of their own; this one is plain JavaScript, without types.
  const recheck = createRequire(import.meta.url)("recheck/lib/browser.js");
  return Checked.parse(recheck.checkSync(source, flags.replaceAll(/[dv]/gu, ""), { timeout: TIMEOUT_MS }));
}
