import type { MissingPart, RunState } from "@/lib/schema/traces/run-state";

const PART_LABELS: Readonly<Record<MissingPart["part"], string>> = {
  files: "Files",
  todos: "Plan",
  memory: "Memory",
  summary: "Summary",
  prompt: "Prompt",
  tools: "Tools",
  rules: "Rules",
};

/** Why a part, or some of it, is not shown; nothing if all of it is known. */
export function MissingNote({ state, part }: { state: RunState; part: MissingPart["part"] }) {
  const found = state.missing.filter((one) => one.part === part);
  return found.map(({ reason }) => (
    <p key={reason} className="px-4 py-3 text-xs text-muted">
      {PART_LABELS[part]}: {reason}.
    </p>
  ));
}
