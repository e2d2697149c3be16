import { ThreadsDrawer } from "@/components/chat/threads/threads-drawer";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { StartLink } from "@/components/shell/start-link";
import { EmptyState } from "@/components/ui/states/state-block";

export default function ProjectNotFound() {
  return (
    <Page>
      <PageHead title="Not found" lead={<ThreadsDrawer />} />
      <EmptyState title="Project not found" actions={<StartLink variant="primary">Start a thread</StartLink>}>
        It was deleted, or you are no member of it.
      </EmptyState>
    </Page>
  );
}
