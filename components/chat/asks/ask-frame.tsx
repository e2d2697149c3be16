import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time, TimeLeft } from "@/components/ui/time";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";

/** Not part of what a page needs before something waits. */
const NotifyLine = dynamic(async () => (await loadWithRetry(() => import("./notify-line"))).NotifyLine, {
  loading: () => null,
});

export interface AskFrameProps {
  /** The accessible name, unique among the cards on the page. */
  label: string;
  title: string;
  askedAtMs: number | null;
  /** Expiry of the ask. */
  expiresAt?: string;
  /** Somebody else decides: the card is not highlighted for this viewer. */
  isForOthers?: boolean;
  children: ReactNode;
}

/** The frame around what a person is asked: the product's only filled brass. */
export function AskFrame({ label, title, askedAtMs, expiresAt, isForOthers = false, children }: AskFrameProps) {
  return (
    <section
      aria-label={label}
      className={classNames(
        "overflow-hidden rounded-lg border bg-surface",
        isForOthers ? "border-border" : "border-signal-line",
      )}
    >
      <header
        className={classNames(
          "flex min-h-9 items-center gap-2 border-b border-separator px-3 py-1.5 text-sm",
          isForOthers ? "bg-surface-secondary" : "bg-signal-soft",
        )}
      >
        <StateRing status={isForOthers ? "limit" : "waiting"} labelled />
        <h2 className="min-w-0 flex-1 font-medium break-words">{title}</h2>
        <span className="tnum shrink-0 text-right text-xs text-muted max-sm:max-w-30">
          {askedAtMs === null ? null : (
            <>
              asked <Time at={askedAtMs} isInSentence />
            </>
          )}
          {expiresAt === undefined ? null : (
            <>
              {askedAtMs === null ? "" : " · "}
              <span className="whitespace-nowrap">
                expires in <TimeLeft until={expiresAt} />
              </span>
            </>
          )}
        </span>
      </header>
      {children}
      {isForOthers ? null : <NotifyLine />}
    </section>
  );
}

export function AskFoot({ children }: { children: ReactNode }) {
  return (
    <footer className="@container px-3 pt-2.5 pb-3">
      <div className="flex items-center gap-2 @max-lg:grid @max-lg:grid-cols-2 @max-2xs:flex @max-2xs:flex-col @max-2xs:items-stretch">
        {children}
      </div>
    </footer>
  );
}

/** Shown in place of the buttons if the viewer can't decide. */
export function Undecidable({ isAgentDeleted }: { isAgentDeleted: boolean }) {
  return (
    <p className="px-3 pt-2.5 pb-3 text-xs text-muted">
      {isAgentDeleted
        ? "The agent that asked was deleted or is no longer available to you, so the run cannot continue. Stop it in the thread."
        : "The thread's owner decides this, in the thread or in the inbox, with an account that may start runs."}
    </p>
  );
}

/** The server's message about a decision that it rejected. */
export function RefusedDecision({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className="px-3 pt-2 text-xs text-fail-text">
      {text}
    </p>
  );
}

/** The brass background of the one button that waits to be pressed. */
export const BRASS = "border-transparent! bg-signal! text-signal-foreground! hover:brightness-95";

export function KeyOnBrass({ children }: { children: string }) {
  return (
    <kbd className="ml-0.5 inline-flex h-4 min-w-4 shrink-0 items-center justify-center rounded-sm bg-signal-foreground/12 px-1 font-sans text-2xs leading-none whitespace-nowrap pointer-coarse:hidden">
      {children}
    </kbd>
  );
}
