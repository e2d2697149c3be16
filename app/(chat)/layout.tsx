import type { ReactNode } from "react";
import { KnownData } from "@/components/chat/known-data";
import { ThreadListView } from "@/components/chat/threads/thread-list-view";
import { ShellView } from "@/components/shell/shell-view";
import { KeptStateProvider } from "@/lib/client/ui/use-kept-state";
import { readChatChoices, readChatLists, readKeptState } from "@/lib/server/pages/page-data";
import { findPageFrame } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

/** The frame. The page redirects visitors who are not signed in, because it knows where to return to. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  const services = pageServices();
  const frame = await findPageFrame(services);
  if (!frame) return children;
  const { viewer } = frame;
  const [choices, lists, kept] = await Promise.all([
    readChatChoices(services, viewer),
    readChatLists(services.database, viewer),
    readKeptState(),
  ]);
  return (
    <KnownData feedRevision={frame.feedRevision} choices={choices} lists={lists}>
      <ShellView {...frame}>
        <aside
          aria-label="Threads"
          className="flex w-[264px] shrink-0 flex-col border-r border-border bg-background max-lg:hidden [[data-artifact]_&]:hidden"
        >
          <ThreadListView isColumn />
        </aside>
        <KeptStateProvider value={kept}>{children}</KeptStateProvider>
      </ShellView>
    </KnownData>
  );
}
