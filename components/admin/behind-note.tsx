/** Another person published first: shows what publishing this text would do to their version. */
export function BehindNote({ begunFrom, live }: { begunFrom: number; live: number }) {
  return (
    <p role="status" className="text-xs text-limit-text">
      v{live} was published since this text was begun from v{begunFrom}. Publishing it makes v{live + 1} without what v
      {live} changed.
    </p>
  );
}
