/** Another person published first: shows what publishing this text would do to their version. */
export function ConflictNotice({ begunFrom, live }: { begunFrom: number; live: number }) {
  return (
    <p role="status" className="text-xs text-limit-text">
      v{live} was published after you started editing v{begunFrom}. Publishing this text creates v{live + 1} without the
      changes of v{live}.
    </p>
  );
}
