import { MOST_UNMASKED } from "@/lib/schema/traces/list/most-unmasked";

interface StillPreparingProps {
  readonly unfolded?: number | undefined;
  readonly unmasked?: number | undefined;
}

/** Below a search: how much of what is there it can't find, or not in every spelling, yet. Nothing if it can. */
export function StillPreparing({ unfolded = 0, unmasked = 0 }: StillPreparingProps) {
  if (unfolded === 0 && unmasked === 0) return null;
  return (
    <p role="status" className="px-4 py-1.5 text-xs text-muted">
      {unmasked > 0 && `The masking rules are still being applied to ${texts(unmasked)}, which a search leaves out. `}
      {unfolded > 0 &&
        `${olderTexts(unfolded)} still being prepared for searches. Until then, a search finds accents and letters other than English only as they are written there.`}
    </p>
  );
}

function texts(count: number): string {
  const most = count < MOST_UNMASKED ? "" : "more than ";
  return count === 1 ? "1 text" : `${most}${count.toLocaleString("en")} texts`;
}

function olderTexts(count: number): string {
  return count === 1 ? "1 older text is" : `${count.toLocaleString("en")} older texts are`;
}
