import { EmptyState } from "@/components/ui/states/state-block";

export default function ShareNotFound() {
  return (
    <main className="h-dvh bg-surface">
      <EmptyState title="Nothing is shared here">
        The link was revoked, or it has expired. Ask the person who sent it for a new one.
      </EmptyState>
    </main>
  );
}
