"use client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo } from "react";
import { PreviewBody } from "@/components/chat/files/file-preview";
import { FileLoading, FileNote, FileProblem } from "@/components/chat/files/file-states";
import { Diff } from "@/components/ui/code/diff";
import { ICON_BUTTON, ICON_BUTTON_SIZES } from "@/components/ui/controls/icon-button";
import { Segments } from "@/components/ui/controls/segments";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { FilePreview } from "@/lib/client/files/file-queries";
import type { Compared } from "@/lib/client/trace/state/state-changes";
import { stateFileQuery, stateFileUrl } from "@/lib/client/trace/state/state-queries";
import { type StepStop, stopName } from "@/lib/client/trace/state/step-stops";
import { classNames } from "@/lib/client/ui/class-names";
import type { StateFile as File } from "@/lib/schema/traces/run-state";

export interface StateFileProps {
  runId: string;
  file: Compared<File>;
  stop: StepStop;
  other: StepStop | undefined;
  /** Shows the difference where there is one. */
  isDifference: boolean;
  onDifference: (isDifference: boolean) => void;
}

/** A file as of a step: its text, or how it differs from the compared step. */
export function StateFile({ runId, file: { item, change }, stop, other, isDifference, onDifference }: StateFileProps) {
  const canDiffer = other !== undefined && change !== null;
  const showsDifference = canDiffer && isDifference;
  return (
    <section aria-label={item.path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 items-center gap-3 border-b border-border px-4 py-1 text-xs">
        <h2 className="min-w-0 flex-1 truncate font-mono">{item.path}</h2>
        {canDiffer ? (
          <Segments
            label="Show"
            options={[
              { id: "text", name: "Text" },
              { id: "difference", name: `Difference to ${stopName(other)}` },
            ]}
            value={showsDifference ? "difference" : "text"}
            onChange={(id) => onDifference(id === "difference")}
          />
        ) : null}
        {item.isKept && change !== "removed" ? (
          <a
            href={stateFileUrl(runId, stop.step, item.path)}
            download
            aria-label={`Download ${item.path}`}
            className={classNames(ICON_BUTTON, ICON_BUTTON_SIZES.sm)}
          >
            <Download aria-hidden />
          </a>
        ) : null}
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {showsDifference ? (
          <Difference runId={runId} path={item.path} change={change} stop={stop} other={other} />
        ) : (
          <Text runId={runId} file={item} change={change} stop={stop} />
        )}
      </div>
    </section>
  );
}

interface TextProps {
  runId: string;
  file: File;
  change: Compared<File>["change"];
  stop: StepStop;
}

function Text({ runId, file, change, stop }: TextProps) {
  const isThere = file.isKept && change !== "removed";
  const query = useQuery({ ...stateFileQuery(runId, stop.step, file.path), enabled: isThere });
  if (change === "removed") return <FileNote>{`It did not exist at ${stopName(stop)}.`}</FileNote>;
  if (!isThere) return <FileNote>{`What it was at ${stopName(stop)} has been cleaned up.`}</FileNote>;
  if (query.isPending) return <FileLoading />;
  if (query.isError) return <FileProblem error={query.error} onRetry={query.refetch} />;
  return <PreviewBody preview={query.data} path={file.path} />;
}

interface DifferenceProps {
  runId: string;
  path: string;
  change: Compared<File>["change"];
  stop: StepStop;
  other: StepStop;
}

const NOTHING: FilePreview = { kind: "text", text: "" };

function Difference({ runId, path, change, stop, other }: DifferenceProps) {
  const after = useQuery({ ...stateFileQuery(runId, stop.step, path), enabled: change !== "removed" });
  const before = useQuery({ ...stateFileQuery(runId, other.step, path), enabled: change !== "added" });
  const [now, then] = [change === "removed" ? NOTHING : after.data, change === "added" ? NOTHING : before.data];
  const texts = useMemo(() => [textOf(then), textOf(now)], [then, now]);
  const rows = useMemo(() => {
    const [old, current] = texts;
    return typeof old === "string" && typeof current === "string" ? diffRows(old, current) : null;
  }, [texts]);
  const error = (change === "removed" ? null : after.error) ?? (change === "added" ? null : before.error);
  if (error) return <FileProblem error={error} onRetry={() => Promise.all([after.refetch(), before.refetch()])} />;
  if (!now || !then) return <FileLoading />;
  if (rows === null) return <FileNote>Only texts can be compared.</FileNote>;
  return <Diff rows={rows} path={path} />;
}

function textOf(preview: FilePreview | undefined): string | null {
  return preview?.kind === "text" || preview?.kind === "markdown" ? preview.text : null;
}
