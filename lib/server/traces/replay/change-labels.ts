import type { ReplayChanges } from "@/lib/schema/traces/replay";
import type { ReplayTools, ToolPolicy } from "@/lib/schema/traces/replay-tools";

/** What a replay changes, in words; the prompt, results and arguments themselves are not in them. */
export function changeLabels(changes: ReplayChanges, tools: ReplayTools): string[] {
  const { version, draft, message, results = {}, args = {} } = changes;
  const [count, edited] = [Object.keys(results).length, Object.keys(args).length];
  return [
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(draft ? ["the draft"] : []),
    ...settingLabels(changes),
    ...(message === undefined ? [] : ["another message"]),
    ...(count === 0 ? [] : [count === 1 ? "1 other result" : `${count} other results`]),
    ...(edited === 0 ? [] : [edited === 1 ? "1 call with other arguments" : `${edited} calls with other arguments`]),
    ...toolLabels(tools),
  ];
}

function settingLabels({ config = {} }: ReplayChanges): string[] {
  return [
    ...(config.model === undefined ? [] : [`model ${config.model}`]),
    ...(config.system_prompt === undefined ? [] : ["another prompt"]),
    ...(config.max_tokens === undefined ? [] : [`max_tokens ${config.max_tokens}`]),
    ...(config.temperature === undefined ? [] : [`temperature ${config.temperature ?? "of the provider"}`]),
  ];
}

const USUAL = { sandbox: "tools in a sandbox", live: "tools live", ask: "tools ask" } as const;
const MISSED = { sandbox: "new calls in a sandbox", ask: "new calls ask" } as const;

function toolLabels({ default: usual, on_miss: missed, per }: ReplayTools): string[] {
  const words = (policy: ToolPolicy) => (typeof policy === "string" ? policy : "a fixed text");
  return [
    ...(usual === "recorded" ? [] : [USUAL[usual]]),
    ...(missed === "fail" ? [] : [typeof missed === "string" ? MISSED[missed] : "new calls: a fixed text"]),
    ...Object.entries(per).map(([tool, policy]) => `${tool}: ${words(policy)}`),
  ];
}
