"use client";
import { DiffCount } from "@/components/ui/code/diff-count";
import { Time } from "@/components/ui/time";
import type { FileVersion } from "@/lib/schema/files/workspace-file";

/** More stops than this are too close to be told apart. */
const MOST_STOPS = 40;

export interface VersionSliderProps {
  /** Newest first. */
  versions: readonly FileVersion[];
  /** The number of the shown version. */
  shown: number;
  onShow: (version: number) => void;
}

/** A file's versions from left to right, one stop each; arrow keys move. */
export function VersionSlider({ versions, shown, onShow }: VersionSliderProps) {
  const ordered = versions.toReversed();
  const place = Math.max(
    0,
    ordered.findIndex(({ version }) => version === shown),
  );
  const version = ordered[place];
  const last = ordered.length - 1;
  if (version === undefined) return null;
  return (
    <div className="flex h-10 shrink-0 items-center gap-3 border-b border-border px-3 text-xs">
      <span aria-hidden="true">Version</span>
      <span className="relative flex h-6 min-w-16 flex-1 items-center">
        <input
          type="range"
          aria-label="Version"
          aria-valuetext={`${place + 1} of ${ordered.length}`}
          min={0}
          max={last}
          step={1}
          value={place}
          onChange={(event) => onShow(ordered[Number(event.target.value)]?.version ?? shown)}
          className="h-6 w-full cursor-pointer accent-foreground"
        />
        {ordered.length > MOST_STOPS
          ? null
          : ordered.map(({ version: stop }, index) =>
              index === place ? null : (
                <span
                  key={stop}
                  aria-hidden="true"
                  style={{ insetInlineStart: `calc(7px + (100% - 14px) * ${index / last})` }}
                  className="pointer-events-none absolute size-2 -translate-x-1/2 rounded-full border border-foreground bg-background"
                />
              ),
            )}
      </span>
      <span className="tnum shrink-0 font-medium">
        {place + 1} of {ordered.length}
      </span>
      <span className="flex shrink-0 items-center gap-2 text-muted">
        <Time at={version.createdAt} />
        <DiffCount added={version.addedLines} removed={version.removedLines} />
      </span>
    </div>
  );
}
