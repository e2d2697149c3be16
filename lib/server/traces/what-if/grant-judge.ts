import "server-only";
import { createHash } from "node:crypto";
import { canonicalArgs } from "@/lib/agent/interrupts";
import type { WhatIfQuery } from "@/lib/schema/permissions/what-if";
import { patternMatches } from "@/lib/schema/tools/command-pattern";
import type { JudgedCall } from "@/lib/server/platform/db/queries/calls/judged-calls";
import { type Judge, verdictOf } from "./judge-calls";

/** A grant allows what was asked; what a rule denied stays denied. */
export function grantJudge({ tool, args, pattern }: NonNullable<WhatIfQuery["grant"]>): { judge: Judge; tool: string } {
  const wanted = args === undefined ? null : createHash("sha256").update(canonicalArgs(args)).digest("hex");
  const covers = (call: JudgedCall): boolean | null => {
    if (call.tool !== tool) return false;
    if (wanted !== null) return call.argsHash === wanted;
    if (call.args === null) return null;
    const { command } = JSON.parse(call.args) as { readonly command?: unknown };
    return typeof command === "string" && patternMatches(pattern ?? "", command);
  };
  const judge: Judge = (call) => {
    const verdict = verdictOf(call);
    if (verdict === null) return null;
    const was = { verdict, rule: "" };
    if (verdict !== "ask") return was;
    const isCovered = covers(call);
    if (isCovered === null) return null;
    return isCovered ? { verdict: "allow", rule: "This grant would allow it." } : was;
  };
  return { judge, tool };
}
