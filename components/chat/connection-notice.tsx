"use client";
import { Button } from "@/components/ui/controls/button";
import { Notice } from "@/components/ui/states/notice";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { classNames } from "@/lib/client/ui/class-names";

const COLUMN = "mx-auto w-full max-w-[776px] px-6 max-sm:px-3";

export interface ConnectionNoticeProps {
  isReconnecting: boolean;
  error: Error | null;
  onRetry: () => void;
}

/** Shown while the run can't be followed, with a way to reconnect. */
export function ConnectionNotice({ isReconnecting, error, onRetry }: ConnectionNoticeProps) {
  if (error instanceof ApiError && error.status === 401) {
    return (
      <div className={COLUMN}>
        <Notice
          status="failed"
          title="You are signed out"
          // A page that needs a session redirects to sign-in, and back here.
          actions={<Button onPress={() => window.location.reload()}>Sign in</Button>}
        >
          The run continues. Sign in again to follow it.
        </Notice>
      </div>
    );
  }
  if (error) {
    return (
      <div className={COLUMN}>
        <Notice
          status="failed"
          title="The run could not be followed"
          actions={<Button onPress={onRetry}>Try again</Button>}
        >
          {errorMessage(error)}
        </Notice>
      </div>
    );
  }
  if (!isReconnecting) return null;
  return (
    <p role="status" className={classNames(COLUMN, "text-xs text-muted")}>
      The connection was lost. Reconnecting; the run continues.
    </p>
  );
}
