import { expect, test } from "vitest";
import type { DigestLine } from "@/lib/schema/traces/digest";
import { digestText } from "./digest-text";

const call = { spanId: "s", tool: "execute", gist: "npm test" };
const version = { kind: "version" as const, spanId: "s", version: 3, runs: 1_200 };

test.each<[DigestLine, string]>([
  [{ kind: "failed", ...call, error: "exit code 1", times: 1 }, "execute npm test failed: exit code 1"],
  [{ kind: "failed", ...call, gist: "", error: "", times: 3 }, "execute failed 3 times"],
  [
    { kind: "failed", ...call, tool: null, gist: "", error: "LLM call: No credit", times: 1 },
    "A model call failed: No credit",
  ],
  [{ kind: "refused", ...call, how: "rule", times: 2 }, "execute npm test was not allowed by a rule 2 times"],
  [{ kind: "refused", ...call, how: "declined", times: 1 }, "execute npm test was denied"],
  [{ kind: "waited", ...call, waitedMs: 51_000, person: "Ada" }, "Waited 51 s for Ada: execute npm test"],
  [{ kind: "waited", ...call, waitedMs: 2_000, person: null }, "Waited 2.0 s for a person: execute npm test"],
  [
    { kind: "longest", ...call, tookMs: 12_000, share: 0.449 },
    "execute npm test took longest: 12 s, 45 % of the time worked",
  ],
  [
    { kind: "dearest", spanId: "s", step: 3, costUsd: 0.04, share: 0.62 },
    "The model call of step 3 cost most: $0.040, 62 % of all model calls",
  ],
  [
    { kind: "dearest", spanId: "s", step: null, costUsd: 0.04, share: 1 },
    "One model call cost most: $0.040, 100 % of all model calls",
  ],
  [
    { ...version, measure: "steps", value: 12, usual: 1 },
    "12 steps, where v3 usually took 1 step (median of 1,200 runs)",
  ],
  [
    { ...version, measure: "workedMs", value: 500, usual: 4_000 },
    "500 ms of work, where v3 usually took 4.0 s of work (median of 1,200 runs)",
  ],
  [
    { ...version, measure: "costUsd", value: 0.5, usual: 0.1 },
    "$0.500, where v3 usually took $0.100 (median of 1,200 runs)",
  ],
])("%o is said in words", (line, words) => {
  expect(digestText(line)).toBe(words);
});
