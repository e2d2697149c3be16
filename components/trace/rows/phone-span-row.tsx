import { ChevronRight } from "lucide-react";
import { NoteCount } from "@/components/trace/notes/note-count";
import type { Timeline } from "@/lib/client/trace/span-timeline";
import { nodeGist, type SpanRow } from "@/lib/client/trace/span-tree";
import type { SpanLayout } from "@/lib/client/trace/use-trace-layout";
import { classNames } from "@/lib/client/ui/class-names";
import { SpanBar } from "./span-bar";
import { SpanGlyph, SpanName } from "./span-name";
import { spanDuration } from "./span-row";

export interface PhoneSpanRowProps {
  row: SpanRow;
  layout: SpanLayout;
  timeline: Timeline;
  noteCount: number;
  onToggle: (id: string) => void;
}

/** On a phone the bar moves under the text, and a row is tall enough for a thumb. */
export function PhoneSpanRow({ row, layout, timeline, noteCount, onToggle }: PhoneSpanRowProps) {
  const { node, depth, open } = row;
  const indent = depth * 12;
  return (
    <div className="h-full border-b border-separator pt-1.5 pr-3" style={{ paddingLeft: 12 + indent }}>
      <div className="flex h-[22px] items-center gap-1.5">
        {node.children.length > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={open ? "Fold" : "Unfold"}
            className="-my-2 -ml-2 flex h-10 w-6 shrink-0 items-center justify-center text-subtle"
            onClick={(event) => {
              event.stopPropagation();
              onToggle(node.id);
            }}
          >
            <ChevronRight className={classNames("size-3", open && "rotate-90")} aria-hidden />
          </button>
        ) : null}
        <SpanGlyph node={node} />
        <SpanName node={node} className="shrink-0 font-mono text-xs" />
        <NoteCount count={noteCount} />
        <span className="min-w-0 flex-1 truncate text-xs text-muted">{nodeGist(node)}</span>
        <span className="tnum shrink-0 text-xs text-muted">{spanDuration(node, timeline)}</span>
      </div>
      {layout === "waterfall" ? (
        <div className="relative flex h-2.5 items-center" style={{ marginLeft: -indent }}>
          <SpanBar node={node} timeline={timeline} />
        </div>
      ) : null}
    </div>
  );
}
