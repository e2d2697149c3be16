"use client";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { DiffCount } from "@/components/ui/code/diff-count";
import { Button } from "@/components/ui/controls/button";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { patchRows } from "@/lib/client/files/diff-rows";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { type BlameBlock, lineIdOf, withoutLines } from "@/lib/client/memory/blame-blocks";
import { mannerOf, writerOf } from "@/lib/client/memory/memory-labels";
import {
  memoryDiffQuery,
  memoryDocumentQuery,
  memoryVersionsQuery,
  restoreMemory,
} from "@/lib/client/memory/memory-queries";
import type { MemoryEdit } from "@/lib/client/memory/use-memory-edit";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { MemoryDetail, MemoryVersion } from "@/lib/schema/files/memory";
import { LineRecall } from "./line-recall";

interface MemoryHistoryProps {
  current: MemoryDetail;
  edit: MemoryEdit;
  /** The lines whose origin is shown above the versions. */
  block: BlameBlock | null;
  onBlock: (block: BlameBlock | null) => void;
  /** Null while the line can't be withdrawn. */
  onWithdraw: (() => void) | null;
}

/** The origin of the selected lines, then every version with its changes. */
export function MemoryHistory({ current, edit, block, onBlock, onWithdraw }: MemoryHistoryProps) {
  const versions = useInfiniteQuery(memoryVersionsQuery(current.id));
  const [chosen, setChosen] = useState<{ version: number; block: BlameBlock | null } | null>(null);
  // Selecting other lines opens their version.
  const shown = chosen?.block === block ? chosen.version : (block?.origin?.version ?? current.version);
  const restore = useRestore(current);
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {block ? (
          <LinesOrigin
            block={block}
            current={current}
            version={versions.data?.find(({ version }) => version === block.origin?.version)}
            onRemove={() => {
              edit.setText(withoutLines(edit.text, block.start, block.lines.length));
              onBlock(null);
            }}
          />
        ) : null}
        {block ? (
          <LineRecall key={block.start} current={current} block={block} onBlock={onBlock} onWithdraw={onWithdraw} />
        ) : null}
        <section aria-label="Versions" className="p-2">
          <h2 className="flex items-center px-2 py-1.5 text-sm font-medium">History</h2>
          <QueryState what="versions" query={versions}>
            {(found) => (
              <ol>
                {found.map((version) => (
                  <li key={version.version}>
                    <VersionRow
                      version={version}
                      ownerId={current.userId}
                      isShown={version.version === shown}
                      onShow={() => setChosen({ version: version.version, block })}
                    />
                    {version.version === shown ? (
                      <VersionChanges
                        current={current}
                        version={version}
                        isRestoring={restore.isPending}
                        onRestore={restore.mutate}
                      />
                    ) : null}
                  </li>
                ))}
              </ol>
            )}
          </QueryState>
          <ShowMore query={versions} className="p-2" />
        </section>
      </div>
      <footer className="flex h-9 shrink-0 items-center border-t border-border px-4 text-xs text-muted">
        Restoring makes v{current.version + 1}; nothing is lost.
      </footer>
    </>
  );
}

function useRestore(current: MemoryDetail) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (version: number) => restoreMemory(current.id, version),
    onSuccess: (restored, version) => {
      queryClient.setQueryData(memoryDocumentQuery(current.id).queryKey, restored);
      showToast({ title: `v${restored.version} has the text of v${version}` });
    },
    invalidates: [MEMORY_KEY],
  });
}

interface LinesOriginProps {
  block: BlameBlock;
  current: MemoryDetail;
  version: MemoryVersion | undefined;
  onRemove: () => void;
}

const LINK = "text-link hover:underline";

function LinesOrigin({ block, current, version, onRemove }: LinesOriginProps) {
  const last = block.start + block.lines.length - 1;
  const { origin } = block;
  const run = version?.run ?? null;
  const spanQuery = origin?.spanId === undefined ? "" : `?span=${encodeURIComponent(origin.spanId)}`;
  return (
    <section aria-label="The selected lines" className="border-b border-border p-4">
      <header className="flex items-baseline justify-between">
        <h2 className="text-sm font-medium">
          {block.lines.length === 1 ? `Line ${block.start}` : `Lines ${block.start}–${last}`}
        </h2>
        <span className="tnum text-xs text-muted">{origin === null ? "not saved" : `since v${origin.version}`}</span>
      </header>
      <p className="mt-1.5 text-xs leading-5 text-muted">
        <Origin block={block} current={current} version={version} />
      </p>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {run ? (
          <Link href={`/traces/${encodeURIComponent(run.traceId)}${spanQuery}`} className={LINK}>
            Open span
          </Link>
        ) : null}
        {run?.isOwn ? (
          <Link href={`/threads/${encodeURIComponent(run.threadId)}`} className={LINK}>
            Open chat
          </Link>
        ) : null}
        {lineIdOf(block) === null ? (
          <button type="button" onClick={onRemove} className={LINK}>
            Remove {block.lines.length === 1 ? "this line" : "these lines"}
          </button>
        ) : null}
      </p>
    </section>
  );
}

function Origin({ block: { origin }, current, version }: Omit<LinesOriginProps, "onRemove">) {
  if (origin === null) return "Typed by you and not saved, so no run has read it.";
  const when = <Time at={origin.at} isInSentence />;
  if (origin.author === "agent")
    return <RunOrigin run={version?.run ?? null} agentName={current.agentName} when={when} />;
  if (origin.author === "seeded") return <>Copied from the template for a new user, {when}.</>;
  if (origin.author === "outside") return <>Changed directly in its folder, not by a run or here; found {when}.</>;
  return (
    <>
      Written by <b className="font-medium text-foreground">{origin.authorName ?? "a person"}</b>
      {version ? `, ${mannerOf(version, current.userId)}` : ""}, {when}.
    </>
  );
}

interface RunOriginProps {
  run: MemoryVersion["run"];
  agentName: string;
  when: ReactNode;
}

function RunOrigin({ run, agentName, when }: RunOriginProps) {
  if (run === null) return <>Written by another person's run, {when}.</>;
  return (
    <>
      Written by {run.isFlush ? "a memory flush of " : ""}
      <b className="font-medium text-foreground">{run.title ?? "a run"}</b>, {agentName} v{run.agentVersion}, {when}.
      {run.isFlush ? " A memory flush writes without asking." : ""}
    </>
  );
}

interface VersionRowProps {
  version: MemoryVersion;
  ownerId: string | null;
  isShown: boolean;
  onShow: () => void;
}

function VersionRow({ version, ownerId, isShown, onShow }: VersionRowProps) {
  return (
    <button
      type="button"
      aria-current={isShown ? "true" : undefined}
      onClick={onShow}
      className="flex w-full items-start gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-default aria-[current=true]:bg-surface-tertiary"
    >
      <span
        aria-hidden
        className={classNames(
          "w-[3px] self-stretch",
          version.author === "user" ? "bg-signal-mark" : "bg-border-strong",
        )}
      />
      <span className="tnum w-8 shrink-0 font-mono text-xs leading-5">v{version.version}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm leading-5">{writerOf(version)}</span>
        <span className="block truncate text-xs text-muted">
          {mannerOf(version, ownerId)}, <Time at={version.at} isInSentence />
        </span>
      </span>
      <DiffCount added={version.addedLines} removed={version.removedLines} />
    </button>
  );
}

interface VersionChangesProps {
  current: MemoryDetail;
  version: MemoryVersion;
  isRestoring: boolean;
  onRestore: (version: number) => void;
}

/** A version's changes, with a button that restores it or, for the current version, the previous one. */
function VersionChanges({ current, version, isRestoring, onRestore }: VersionChangesProps) {
  const before = version.version - 1;
  const diff = useQuery(memoryDiffQuery(current.id, before, version.version));
  const target = version.version === current.version ? before : version.version;
  return (
    <div className="mx-1 my-1.5 overflow-hidden rounded-md border border-border bg-surface">
      <QueryState what="changes" query={diff}>
        {({ patch }) =>
          patch === null ? (
            <p className="p-3 text-xs text-muted">One of the two versions is not text.</p>
          ) : (
            <Diff rows={patchRows(patch)} path={current.path} className="max-h-72" />
          )
        }
      </QueryState>
      <footer className="flex h-9 items-center justify-between border-t border-separator pl-3 text-xs text-muted">
        {before === 0 ? "The first version" : `Against v${before}`}
        {target === 0 || version.deleted ? null : (
          <Button variant="ghost" isPending={isRestoring} onPress={() => onRestore(target)}>
            Restore v{target}
          </Button>
        )}
      </footer>
    </div>
  );
}
