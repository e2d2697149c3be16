import type { PermissionVerdict } from "@/lib/schema/permission";

/** How a verdict is written and on which ground; brass because a person is asked. */
export const VERDICT_WORDS: Readonly<Record<PermissionVerdict["verdict"], { word: string; look: string }>> = {
  allow: { word: "Runs", look: "bg-default text-ok-text" },
  ask: { word: "Asks a person", look: "bg-signal-soft text-signal-text" },
  deny: { word: "Not allowed", look: "bg-fail-soft text-fail-text" },
};

/** What decided, as it is in the config: `ask: execute {"command":"npm *"}`, `mode: plan`. */
export function ruleText({ by, rule, mode }: Pick<PermissionVerdict, "by" | "rule" | "mode">): string {
  if (by === "off") return "permissions.enabled: false";
  if (by === "mode") return `mode: ${mode ?? "default"}`;
  if (by === "grant") return "an allowed call of the thread";
  if (rule === undefined) return by;
  if (typeof rule === "string") return `${by}: ${rule}`;
  const args = Object.keys(rule.args).length === 0 ? "" : ` ${JSON.stringify(rule.args)}`;
  return `${by}: ${rule.tool}${args}`;
}
