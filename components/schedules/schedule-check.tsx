"use client";
import { Segments } from "@/components/ui/controls/segments";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { errorMessage } from "@/lib/client/http/api";
import type { CallChoice } from "@/lib/client/schedules/schedule-form";
import { dueText, untilText } from "@/lib/client/schedules/schedule-labels";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { ExactCall } from "@/lib/schema/triggers/exact-call";
import type { PreflightReply } from "@/lib/schema/triggers/schedule";

/** The next due times, each exact and in words. */
export function NextRuns({ reply, isChecking }: { reply: PreflightReply | undefined; isChecking: boolean }) {
  const now = useHalfMinute();
  return (
    <section aria-label="Next runs">
      <h2 className="text-sm font-medium">Next runs</h2>
      {reply === undefined && isChecking ? (
        <SkeletonList label="Loading the next runs" rows={5} rowHeight={32} hasGlyph={false} className="mt-1" />
      ) : null}
      {reply === undefined || now === null ? null : (
        <ul className="mt-1 rounded-md border border-border empty:hidden">
          {reply.next.map((due) => (
            <li
              key={due}
              className="tnum flex h-8 items-center gap-3 border-b border-separator px-2.5 text-sm last:border-b-0"
            >
              {dueText(due, reply.timezone, now)}
              <span className="ml-auto w-20 text-xs text-muted max-sm:hidden">{due.slice(11, 16)} UTC</span>
              <span className="w-20 text-right text-xs text-muted max-sm:ml-auto">{untilText(due, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface CallsThatAskProps {
  reply: PreflightReply | undefined;
  error: Error | null;
  onCheck: () => void;
  choiceOf: (call: ExactCall) => CallChoice;
  onChoose: (call: ExactCall, choice: CallChoice) => void;
}

const CHOICES = [
  { id: "allow", name: "Allow this exact call" },
  { id: "deny", name: "Deny" },
  { id: "wait", name: "Let it wait" },
] as const;

const CONSEQUENCES: Readonly<Record<CallChoice, string>> = {
  allow: "Holds for this schedule only.",
  deny: "The agent is told that you denied it, and continues.",
  wait: "Follows what is chosen under “When a call asks”.",
};

/** Decided in advance: the person may be away when the schedule is due. */
export function CallsThatAsk({ reply, error, onCheck, choiceOf, onChoose }: CallsThatAskProps) {
  return (
    <section aria-label="Calls that would ask">
      <h2 className="text-sm font-medium">Calls that would ask</h2>
      {error === null ? null : (
        <p role="alert" className="mt-1 text-xs text-muted">
          Could not be checked; what asks will wait. {errorMessage(error)}{" "}
          <button type="button" className="text-link underline underline-offset-2" onClick={onCheck}>
            Check again
          </button>
        </p>
      )}
      {reply?.asks.length === 0 ? (
        <p className="mt-1 text-sm">None, under the agent’s current rules.</p>
      ) : (
        <ul className="mt-1 rounded-md border border-border empty:hidden">
          {reply?.asks.map((ask) => (
            <AskingCall
              key={`${ask.tool} ${JSON.stringify(ask.args)}`}
              ask={ask}
              pastRuns={reply.pastRuns}
              choiceOf={choiceOf}
              onChoose={onChoose}
            />
          ))}
        </ul>
      )}
      {reply?.pastRuns === 0 ? (
        <p className="mt-1 text-xs text-muted">There is no run to learn from yet. Run it once while you are here.</p>
      ) : null}
    </section>
  );
}

interface AskingCallProps extends Pick<CallsThatAskProps, "choiceOf" | "onChoose"> {
  ask: PreflightReply["asks"][number];
  pastRuns: number;
}

function AskingCall({ ask: { tool, args, reason, runs }, pastRuns, choiceOf, onChoose }: AskingCallProps) {
  return (
    <li className="border-b border-separator px-2.5 py-2 last:border-b-0">
      <p className="flex items-baseline gap-2">
        <code className="min-w-0 truncate font-mono text-xs">
          {tool} {args === null ? "" : Object.values(args).map(textOf).join(" ")}
        </code>
        <span className="ml-auto shrink-0 text-xs text-muted">
          {runs === 0 ? "not called yet" : `in ${runs} of ${pastRuns} runs`}
        </span>
      </p>
      {args === null ? (
        <p className="mt-0.5 text-xs text-muted">{reason}</p>
      ) : (
        <>
          <div className="mt-1.5">
            <Segments
              label={`What happens to ${tool}`}
              options={CHOICES}
              value={choiceOf({ tool, args })}
              onChange={(id) => onChoose({ tool, args }, CHOICES.find((one) => one.id === id)?.id ?? "wait")}
            />
          </div>
          <p className="mt-0.5 text-xs text-muted">{CONSEQUENCES[choiceOf({ tool, args })]}</p>
        </>
      )}
    </li>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
