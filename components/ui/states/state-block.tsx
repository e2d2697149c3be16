"use client";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/controls/button";
import { classNames } from "@/lib/client/ui/class-names";
import { copyText } from "@/lib/client/ui/text/copy-text";
import { showToast } from "@/lib/client/ui/toast-store";

export interface EmptyStateProps {
  title: string;
  /** Why it is empty, then what to do. */
  children: ReactNode;
  /** The main action first, then at most one other. */
  actions?: ReactNode;
  className?: string;
}

export function EmptyState({ title, children, actions, className }: EmptyStateProps) {
  return (
    <Block art={<EmptyRings />} title={title} actions={actions} className={className}>
      {children}
    </Block>
  );
}

export interface ErrorStateProps {
  title: string;
  /** What was kept and what to do. */
  children: ReactNode;
  /** Shown next to the request id, both copied by "Copy details". */
  code?: string;
  requestId?: string | null;
  onRetry?: () => void;
  /** What the button of `onRetry` says. */
  retryLabel?: string;
  className?: string;
}

export function ErrorState(props: ErrorStateProps) {
  const { title, children, code, requestId, onRetry, retryLabel = "Try again", className } = props;
  const details = [code, requestId ? `request ${requestId}` : null].filter(Boolean).join(" · ");
  const copyDetails = async () => {
    try {
      await copyText(`${title}\n${details}`);
      showToast({ title: "Details copied" });
    } catch {
      showToast({ title: "The browser blocked copying", tone: "error" });
    }
  };
  return (
    <Block
      art={<BrokenRing />}
      title={title}
      className={className}
      details={details}
      actions={
        <>
          {onRetry ? (
            <Button variant="primary" onPress={onRetry}>
              {retryLabel}
            </Button>
          ) : null}
          {details ? <Button onPress={() => void copyDetails()}>Copy details</Button> : null}
        </>
      }
    >
      {children}
    </Block>
  );
}

interface BlockProps {
  art: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  details?: string;
  className?: string;
}

function Block({ art, title, children, actions, details, className }: BlockProps) {
  return (
    <div className={classNames("flex h-full flex-col items-center justify-center px-8 py-10 text-center", className)}>
      <div className="mb-4">{art}</div>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 max-w-[380px] text-base text-balance text-muted">{children}</p>
      {details ? (
        <p className="mt-3 rounded-md border border-border bg-code px-3 py-1.5 font-mono text-xs text-balance wrap-anywhere text-muted">
          {details}
        </p>
      ) : null}
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

/** The mark drawn large and pale: three rings, nothing in the middle yet. */
function EmptyRings() {
  return (
    <svg width="88" height="88" viewBox="0 0 88 88" fill="none" stroke="var(--border-strong)" aria-hidden="true">
      <circle cx="44" cy="44" r="42" strokeWidth="1.25" strokeDasharray="2 5" />
      <circle cx="44" cy="44" r="30" strokeWidth="1.25" strokeDasharray="4 4" />
      <circle cx="44" cy="44" r="18" strokeWidth="1.25" />
      <circle cx="44" cy="44" r="4" fill="var(--signal)" stroke="none" />
    </svg>
  );
}

/** A ring that does not close. */
function BrokenRing() {
  return (
    <svg width="88" height="88" viewBox="0 0 88 88" fill="none" aria-hidden="true">
      <circle cx="44" cy="44" r="42" stroke="var(--border)" strokeWidth="1.25" />
      <path d="M62 21.5A29 29 0 1 0 72.6 49" stroke="var(--fail)" strokeWidth="1.75" strokeLinecap="round" />
      <path d="M63 36l10-9M66 40l13-3" stroke="var(--fail)" strokeWidth="1.75" strokeLinecap="round" />
      <circle cx="44" cy="44" r="4" fill="var(--border-strong)" />
    </svg>
  );
}
