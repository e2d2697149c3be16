import { MessageSquareText } from "lucide-react";
import { formatCount } from "@/lib/client/ui/text/format";

/** How many notes people wrote on a span; nothing for none. */
export function NoteCount({ count }: { count: number }) {
  if (count === 0) return null;
  const words = count === 1 ? "1 note" : `${formatCount(count)} notes`;
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="tnum flex shrink-0 items-center gap-0.5 text-2xs text-muted"
    >
      <MessageSquareText className="size-3" aria-hidden />
      {count}
    </span>
  );
}
