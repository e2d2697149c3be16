import { z } from "zod";
import { Evidence } from "@/lib/schema/boards/board";
import type { BoardRow, CardRow } from "@/lib/server/platform/db/queries/dispatch/boards";

const Ids = z.array(z.string());

export function membersOf({ members }: Pick<BoardRow, "members">): string[] {
  return Ids.parse(JSON.parse(members));
}

export function dependenciesOf({ dependsOn }: Pick<CardRow, "dependsOn">): string[] {
  return Ids.parse(JSON.parse(dependsOn));
}

export function evidenceOf({ evidence }: Pick<CardRow, "evidence">): Evidence | null {
  return evidence === null ? null : Evidence.parse(JSON.parse(evidence));
}

/** The result of checking the evidence. */
export const EvidenceState = z.object({ ok: z.boolean(), text: z.string() });
export type EvidenceState = z.infer<typeof EvidenceState>;

/** A reviewer's verdict. */
export const Verdict = z.object({ accept: z.boolean(), note: z.string() });
export type Verdict = z.infer<typeof Verdict>;
