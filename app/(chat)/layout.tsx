import type { ReactNode } from "react";
import { KnownChoices } from "@/components/chat/composer/known-choices";
import { ThreadListView } from "@/components/chat/threads/thread-list-view";
import { ShellView } from "@/components/shell/shell-view";
import { KeptStateProvider } from "@/lib/client/ui/use-kept-state";
import { readChatChoices, readKeptState } from "@/lib/server/pages/page-data";
import { findPageViewer } from "@/lib/server/pages/page-viewer";

/** The frame. The page redirects visitors who are not signed in, because it knows where to return to. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  const viewer = await findPageViewer();
  if (!viewer) return children;
  const [choices, kept] = await Promise.all([readChatChoices(viewer), readKeptState()]);
  return (
    <ShellView viewer={viewer}>
      <aside
        aria-label="Threads"
        className="flex w-[264px] shrink-0 flex-col border-r border-border bg-background max-lg:hidden [[data-artifact]_&]:hidden"
      >
        <ThreadListView />
      </aside>
      <KeptStateProvider value={kept}>
        <KnownChoices choices={choices}>{children}</KnownChoices>
      </KeptStateProvider>
    </ShellView>
  );
}
