"use client";
import { ErrorState } from "@/components/ui/states/state-block";
import { summarizeError } from "@/lib/client/http/error-summary";
import { PartGone } from "@/lib/client/http/load-with-retry";

export interface BrokenPageProps {
  /** A server failure arrives without its message, with a `digest` that the server's log also has. */
  error: unknown;
  /** Asks the server again; rerendering alone would show a server failure again. */
  retry: () => void;
}

/** Replaces a page that threw; the frame around it stays. */
export function BrokenPage({ error, retry }: BrokenPageProps) {
  const { message, code, requestId } = summarizeError(error);
  const isGone = error instanceof PartGone;
  return (
    <main className="min-h-full min-w-0 flex-1 bg-surface">
      <ErrorState
        title="This page could not be shown"
        code={code ?? digestOf(error)}
        requestId={requestId}
        // Of a page from before an update the server has no parts, however often it is asked.
        onRetry={isGone ? () => window.location.reload() : retry}
        retryLabel={isGone ? "Reload" : undefined}
      >
        {message} Threads, drafts and runs are kept.
      </ErrorState>
    </main>
  );
}

function digestOf(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error ? String(error.digest) : undefined;
}
