import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state-block";

export default function ThreadNotFound() {
  return (
    <main className="min-w-0 flex-1 bg-surface">
      <EmptyState
        title="There is no such thread"
        actions={
          <LinkButton href="/" variant="primary">
            Start a thread
          </LinkButton>
        }
      >
        It was deleted, or it belongs to somebody else.
      </EmptyState>
    </main>
  );
}
