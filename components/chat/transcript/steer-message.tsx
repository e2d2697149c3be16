"use client";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { formatDuration } from "@/lib/schema/format-duration";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import type { DataParts } from "@/lib/schema/messages/ui-message";

/** A message that a person wrote during the run, at the point where the model read it. */
export function SteerMessage({ steer }: { steer: DataParts["steer"] }) {
  const { text, files } = splitAttached(steer.text);
  return (
    <article aria-label="Your message" className="group pb-1">
      <div className="relative rounded-lg bg-surface-secondary px-3.5 py-2.5 text-base">
        {text === "" ? null : (
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </p>
        )}
        {files.map(({ path }) => (
          <p key={path} className="truncate text-xs leading-5 text-muted" title={path}>
            {path.slice(path.lastIndexOf("/") + 1)}
          </p>
        ))}
        <span className="absolute top-1.5 right-1.5 rounded-md bg-surface-secondary opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden">
          <CopyButton text={text} label="Copy message" />
        </span>
      </div>
      <p className="tnum pt-1 text-xs text-muted">
        steered, read at step {steer.step} after {formatDuration(steer.afterMs)}
      </p>
    </article>
  );
}
