import { CheckList } from "@/components/ui/controls/check-list";
import type { Fork } from "@/lib/client/chat/branches/use-fork";

/** What the new thread has, what it can take along, and why forking failed. */
export function ForkFields({ fork: { choices, chosen, choose, sharesFiles, problem } }: { fork: Fork }) {
  return (
    <>
      <p className="pb-3 text-sm">The new thread has the messages up to here. This one stays as it is.</p>
      <CheckList label="Also copy" value={chosen} onChange={choose} options={choices} />
      {sharesFiles ? (
        <p className="pt-2 text-xs text-muted">The agent's threads share their files, so the new one has them too.</p>
      ) : null}
      {problem === null ? null : (
        <p role="alert" className="pt-2 text-xs text-fail-text">
          {problem}
        </p>
      )}
    </>
  );
}
