import { StateRing } from "@/components/ui/states/state-ring";
import type { FeedConnection } from "@/lib/client/chat/use-user-feed";

export interface ConnectionLineProps {
  connection: FeedConnection;
  isOnline: boolean;
}

/** Shown above every page while it can't be kept up to date: why, and what happens next. */
export function ConnectionLine({ connection, isOnline }: ConnectionLineProps) {
  const text = textOf(connection, isOnline);
  return (
    <div role="status">
      {text === null ? null : (
        <p className="flex min-h-8 items-center justify-center gap-2 border-b border-border bg-broken-soft px-4 py-1.5 text-xs text-broken-text">
          <StateRing status="interrupted" size={13} />
          <span>
            {text}
            {isOnline && connection === "signed-out" ? (
              <>
                {" "}
                <button type="button" className="font-medium underline" onClick={() => window.location.reload()}>
                  Sign in
                </button>
              </>
            ) : null}
          </span>
        </p>
      )}
    </div>
  );
}

function textOf(connection: FeedConnection, isOnline: boolean): string | null {
  if (!isOnline) return "You are offline. What you see may be out of date.";
  if (connection === "lost") return "The server does not answer. Trying again; what you see may be out of date.";
  if (connection === "signed-out") return "You are signed out.";
  return null;
}
