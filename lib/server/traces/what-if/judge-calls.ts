import "server-only";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type JudgedCall,
  type JudgedCallScope,
  selectJudgedCalls,
} from "@/lib/server/platform/db/queries/calls/judged-calls";

type Verdict = "allow" | "ask" | "deny";

/** What a verdict would have been, and by what, in words; null where that can't be known. */
export type Judge = (call: JudgedCall) => { readonly verdict: Verdict; readonly rule: string } | null;

/** The newest of a period that are looked at. */
const MOST_CALLS = 50_000;
/** Few enough that reading and judging a page holds up nobody else for long. */
const PER_PAGE = 150;

/**
 * Passes the calls to `each`, newest first, page by page; on SQLite they are read in a thread of their own. Between the
 * pages everybody else is answered. Returns whether there were more than 50,000.
 */
export async function eachJudgedCall(
  db: Database,
  scope: JudgedCallScope,
  each: (call: JudgedCall) => void,
): Promise<boolean> {
  const readAfter = (after: JudgedCall | null) => selectJudgedCalls(db, scope, { after, limit: PER_PAGE });
  let reading: Promise<JudgedCall[]> | null = readAfter(null);
  for (let total = PER_PAGE; reading !== null; total += PER_PAGE) {
    const page: JudgedCall[] = await reading;
    const last = page.length < PER_PAGE ? undefined : page.at(-1);
    // While this page is judged, the next one is read.
    reading = last !== undefined && total < MOST_CALLS ? readAfter(last) : null;
    reading?.catch(() => undefined);
    // The answers of the thread that reads are otherwise taken one after the other, without a turn of the loop.
    await nextTurn();
    for (const call of page) each(call);
    if (last === undefined) return false;
  }
  return true;
}

/** What happened: a call that somebody decided about was asked about, even if their grant is what allowed it in the end. */
export function verdictOf({ verdict, decision }: Pick<JudgedCall, "verdict" | "decision">): Verdict | null {
  if (decision !== null) return "ask";
  return verdict === "allow" || verdict === "ask" || verdict === "deny" ? verdict : null;
}
