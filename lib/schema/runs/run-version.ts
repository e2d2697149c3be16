import { z } from "zod";

/** The agent's version that a run used; runs of a test thread used the draft. */
export const RunVersion = z.union([z.number(), z.literal("draft")]);
export type RunVersion = z.infer<typeof RunVersion>;

/** From a version's row; a draft's has no number. */
export function toRunVersion(number: number | null): RunVersion {
  return number ?? "draft";
}

/** As people read it: `v3`, or `draft`. */
export function versionLabel(version: RunVersion): string {
  return version === "draft" ? version : `v${version}`;
}
