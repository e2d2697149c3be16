/** Below a search: how much of what is there it can't find in every spelling yet. Nothing if it can. */
export function StillPreparing({ unfolded = 0 }: { unfolded?: number | undefined }) {
  if (unfolded === 0) return null;
  const what = unfolded === 1 ? "1 older text is" : `${unfolded.toLocaleString("en")} older texts are`;
  return (
    <p role="status" className="px-4 py-1.5 text-xs text-muted">
      {what} still being prepared for searches. Until then, a search finds accents and letters other than English only
      as they are written there.
    </p>
  );
}
