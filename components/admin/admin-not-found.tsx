import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "@/components/ui/states/state-block";
import type { Viewer } from "@/lib/schema/users/user";

/** For administrators, a page that does not exist; for everybody else, one they may not open. */
export function AdminNotFound({ viewer }: { viewer: Viewer | null }) {
  const isAdmin = viewer?.role === "admin";
  return (
    <Page>
      <PageHead title={isAdmin ? "Not found" : "For administrators"} />
      <EmptyState
        title={isAdmin ? "Page not found" : "This page is for administrators"}
        actions={
          <LinkButton href={isAdmin ? "/admin/agents" : "/"} variant="primary">
            {isAdmin ? "All agents" : "Back to the chat"}
          </LinkButton>
        }
      >
        {isAdmin
          ? "It was deleted, or the address is wrong."
          : viewer === null
            ? "Sign in as an administrator to open it."
            : `You are signed in as ${viewer.email}, a ${viewer.role}. An administrator can change your role.`}
      </EmptyState>
    </Page>
  );
}
