import { ThreadsDrawer } from "@/components/chat/threads/threads-drawer";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { StartLink } from "@/components/shell/start-link";
import { EmptyState } from "@/components/ui/states/state-block";

export default function ThreadNotFound() {
  return (
    <Page>
      <PageHead title="Not found" lead={<ThreadsDrawer />} />
      <EmptyState title="Thread not found" actions={<StartLink variant="primary">Start a thread</StartLink>}>
        It was deleted, or it belongs to someone else.
      </EmptyState>
    </Page>
  );
}
