/** "+9 −2", with words for screen readers. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  // Nothing to compare: an empty file, one that is not text, or one that is too large.
  if (added === 0 && removed === 0) return null;
  return (
    <span className="tnum font-mono text-2xs whitespace-nowrap">
      <span className="text-ok-text">
        +{added}
        <span className="sr-only"> lines added</span>
      </span>{" "}
      <span className="text-fail-text">
        −{removed}
        <span className="sr-only"> lines removed</span>
      </span>
    </span>
  );
}
