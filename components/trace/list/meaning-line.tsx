import { Button } from "@/components/ui/controls/button";
import type { Meaning } from "@/lib/client/trace/list/use-meaning";

/** What became of the words that were searched for, with the ways back. */
export function MeaningLine({ meaning: { understood, undo, searchAsText } }: { meaning: Meaning }) {
  if (understood === null) return null;
  const { text, filterCount, rest } = understood;
  return (
    <p
      role="status"
      className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-2 border-b border-border bg-background px-4 text-xs text-muted"
    >
      <span>
        {filterCount === 1 ? "1 filter" : `${filterCount} filters`} from “{text}”
        {rest === "" ? "" : `. “${rest}” is searched as text`}
      </span>
      <Button variant="ghost" onPress={undo}>
        Undo
      </Button>
      <Button variant="ghost" onPress={searchAsText}>
        Search it as text
      </Button>
    </p>
  );
}
