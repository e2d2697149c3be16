import { z } from "zod";

const Fixed = z.strictObject({ fixed: z.string().max(1_000_000) });

/**
 * How a tool's calls are answered: from the recording; by running them on a copy of the files as of the step, without
 * network (tools that reach further stay recorded); by running them; by running them once a person has allowed each
 * call; not at all (the run fails); or with a fixed text.
 */
const ToolPolicy = z.union([z.enum(["recorded", "sandbox", "live", "ask", "fail"]), Fixed]);
export type ToolPolicy = z.infer<typeof ToolPolicy>;

/** The policies under which a call really runs. */
export type RunPolicy = Extract<ToolPolicy, "sandbox" | "live" | "ask">;

/** `on_miss`: what a call gets that the recording lacks; `fail` ends the run and says which call. */
export const ReplayTools = z.strictObject({
  default: z.enum(["recorded", "sandbox", "live", "ask"]).default("recorded"),
  on_miss: z.union([z.enum(["fail", "sandbox", "ask"]), Fixed]).default("fail"),
  /** By tool or glob; the first that fits counts. */
  per: z.record(z.string().min(1).max(200), ToolPolicy).default({}),
});
export type ReplayTools = z.infer<typeof ReplayTools>;

/** Whether a call may really run: the replay then has files, and people may be asked. */
export function runsTools({ default: usual, on_miss: onMiss, per }: ReplayTools): boolean {
  const isRun = (policy: ToolPolicy) => policy === "sandbox" || policy === "live" || policy === "ask";
  return [usual, onMiss, ...Object.values(per)].some(isRun);
}
