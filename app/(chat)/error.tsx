"use client";
import { ErrorState } from "@/components/ui/state-block";
import { errorFacts } from "@/lib/client/error-facts";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ChatError({ error, reset }: ErrorPageProps) {
  const { message, code, requestId } = errorFacts(error);
  return (
    <main className="min-w-0 flex-1 bg-surface">
      <ErrorState
        title="This page could not be shown"
        code={code ?? error.digest}
        requestId={requestId}
        onRetry={reset}
      >
        {message} Threads, drafts and runs are kept.
      </ErrorState>
    </main>
  );
}
