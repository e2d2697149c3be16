"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { MessageView } from "@/components/chat/transcript/message-view";
import { InstallationTitle } from "@/components/shell/installation-title";
import { Button } from "@/components/ui/controls/button";
import { Tag } from "@/components/ui/tag";
import { Time, TimeLeft } from "@/components/ui/time";
import { toChatMessages } from "@/lib/client/chat/chat-message";
import { sharedFileUrl, sharedPagesQuery } from "@/lib/client/chat/shares/share-queries";
import { errorMessage } from "@/lib/client/http/api";
import { formatBytes, formatCost } from "@/lib/client/ui/text/format";
import type { SharedPage } from "@/lib/schema/threads/share";
import { SharedContext } from "./shared-context";

/** The copy does not name who wrote in the thread. */
const WRITER = "Person";

export interface ShareViewProps {
  token: string;
  first: SharedPage;
}

/** A shared copy of a thread: its transcript, without anything that could change it. */
export function ShareView({ token, first }: ShareViewProps) {
  const { data, error, ...query } = useInfiniteQuery(sharedPagesQuery(token, first));
  const messages = data.pages.flatMap((page) => toChatMessages(page.messages));
  const { title, agentName, createdAt, expiresAt, costUsd, files, include } = first;
  return (
    <div className="flex h-dvh flex-col bg-surface">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-border pr-4 pl-5 max-sm:pl-3">
        <span className="flex shrink-0 items-center gap-2 text-sm text-muted">
          <InstallationTitle size={18} />
        </span>
        <h1 className="min-w-0 truncate text-sm font-semibold">{title ?? "Untitled thread"}</h1>
        <Tag className="max-sm:hidden">{agentName}</Tag>
        <span className="flex-1" />
        <Tag>Read only</Tag>
      </header>
      <main
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        aria-label="Shared thread"
        {...{ tabIndex: 0 }}
      >
        <div className="mx-auto w-full max-w-[776px] px-6 pt-6 pb-10 max-sm:px-4">
          <p className="mb-6 text-sm text-muted">
            A copy of a thread, made <Time at={createdAt} isInSentence />. It does not change when the thread goes on.
            {expiresAt === null ? null : (
              <>
                {" "}
                The link expires in <TimeLeft until={expiresAt} />.
              </>
            )}
            {costUsd === undefined ? "" : ` ${costText(costUsd)}`}
          </p>
          {files.length === 0 ? null : <SharedFiles token={token} files={files} />}
          <SharedContext value={include}>
            <section aria-label="Transcript">
              {messages.map((message) => (
                <div key={message.id} className="[contain-intrinsic-size:auto_320px] [content-visibility:auto]">
                  <MessageView message={message} userName={WRITER} isLive={false} isLatest={false} onNextStep={null} />
                </div>
              ))}
            </section>
          </SharedContext>
          {messages.length === 0 ? <p className="text-sm text-muted">The thread was empty.</p> : null}
          {error ? (
            <p role="alert" className="text-sm text-fail-text">
              {errorMessage(error)}
            </p>
          ) : null}
          {query.hasNextPage ? (
            <MoreButton isPending={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
          ) : null}
        </div>
      </main>
    </div>
  );
}

function costText(costUsd: number | null): string {
  return costUsd === null ? "What the replies cost is unknown." : `The replies cost ${formatCost(costUsd)}.`;
}

/** Far enough ahead that reading on never waits. */
const AHEAD = "2000px";

/** Loads more automatically as soon as it comes near. */
function MoreButton({ isPending, onMore }: { isPending: boolean; onMore: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    if (place.current === null || isPending) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isPending]);
  return (
    <div ref={place} className="flex justify-center py-2">
      <Button isPending={isPending} onPress={onMore}>
        Show more
      </Button>
    </div>
  );
}

function SharedFiles({ token, files }: { token: string; files: SharedPage["files"] }) {
  return (
    <section className="mb-6 rounded-lg border border-border">
      <h2 className="border-b border-separator px-3 py-2 text-sm font-medium">Files</h2>
      <ul className="py-1">
        {files.map(({ path, sizeBytes }) => (
          <li key={path}>
            <a
              href={sharedFileUrl(token, path)}
              download
              className="flex min-h-8 items-center gap-2 px-3 font-mono text-xs -outline-offset-2 touch-row hover:bg-default"
            >
              <Download className="size-3.5 shrink-0 text-muted" aria-hidden />
              <span className="min-w-0 flex-1 truncate" title={path}>
                {path}
              </span>
              <span className="tnum shrink-0 text-muted">{formatBytes(sizeBytes)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
