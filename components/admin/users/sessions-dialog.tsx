"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { useAction } from "@/lib/client/ui/use-action";
import { browserLabel } from "@/lib/client/users/browser-labels";
import { endUserSessions, userSessionsQuery } from "@/lib/client/users/link-queries";
import type { User } from "@/lib/schema/users/user";

/** A person's sessions; each can be ended. */
export function SessionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const query = userSessionsQuery(user.id);
  const sessions = useQuery(query);
  const end = useAction({
    mutationFn: (sessionId?: string) => endUserSessions(user.id, sessionId),
    invalidates: [query.queryKey],
  });
  return (
    <Dialog
      title={`Sessions of ${user.name}`}
      isOpen
      onClose={onClose}
      size="sm"
      actions={
        sessions.data?.length ? (
          <Button variant="danger-ghost" isPending={end.isPending} onPress={() => end.mutate(undefined)}>
            Sign out everywhere
          </Button>
        ) : null
      }
    >
      <QueryState what="sessions" query={sessions}>
        {(found) =>
          found.length === 0 ? (
            <p className="text-sm text-muted">{user.name} is signed in nowhere.</p>
          ) : (
            <ul className="flex flex-col gap-1 text-sm">
              {found.map((session) => (
                <li key={session.id} className="flex items-center gap-2">
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{browserLabel(session.userAgent)}</span>
                    <span className="block truncate text-xs text-muted">
                      {session.ipAddress ? `${session.ipAddress}, ` : ""}since{" "}
                      <Time at={session.createdAt} isInSentence />
                    </span>
                  </span>
                  <Button
                    variant="ghost"
                    isPending={end.variables === session.id}
                    onPress={() => end.mutate(session.id)}
                  >
                    Sign out
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Dialog>
  );
}
