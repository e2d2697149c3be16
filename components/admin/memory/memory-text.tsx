"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ListTree } from "lucide-react";
import dynamic from "next/dynamic";
import { Fragment } from "react";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { type BlameBlock, blameBlocks, cutLines, lineOfBlock } from "@/lib/client/memory/blame-blocks";
import { dayLabel, writerOf } from "@/lib/client/memory/memory-labels";
import { memoryBlameQuery, memoryVersionsQuery } from "@/lib/client/memory/memory-queries";
import type { MemoryEdit } from "@/lib/client/memory/use-memory-edit";
import { classNames } from "@/lib/client/ui/class-names";
import { initials } from "@/lib/client/ui/text/format";
import type { MemoryDetail, MemoryVersion } from "@/lib/schema/files/memory";

const Markdown = dynamic(
  async () => (await loadWithRetry(() => import("@/components/ui/markdown/markdown"))).Markdown,
  {
    loading: () => <SkeletonList label="Loading the preview" rows={6} />,
  },
);

export type MemoryMode = "blame" | "plain" | "preview";

const MODES: readonly { readonly id: MemoryMode; readonly word: string }[] = [
  { id: "blame", word: "Blame" },
  { id: "plain", word: "Plain" },
  { id: "preview", word: "Preview" },
];

export function ModeSwitch({ mode, onMode }: { mode: MemoryMode; onMode: (mode: MemoryMode) => void }) {
  return (
    <div className="flex h-9 shrink-0 items-center border-b border-border pr-3 pl-3 text-xs text-muted pointer-coarse:h-12">
      {mode === "blame" ? <span className="w-[205px] max-md:hidden">Who wrote it</span> : null}
      <span>{mode === "plain" ? "Text, editable" : "Text"}</span>
      <fieldset className="ml-auto flex rounded-md bg-default p-0.5">
        <legend className="sr-only">View</legend>
        {MODES.map(({ id, word }) => (
          <button
            key={id}
            type="button"
            aria-pressed={mode === id}
            onClick={() => onMode(id)}
            className="h-6 rounded-sm px-2 text-xs text-muted touch-row aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-foreground"
          >
            {word}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

interface MemoryTextProps {
  current: MemoryDetail;
  edit: MemoryEdit;
  mode: MemoryMode;
  block: BlameBlock | null;
  onBlock: (block: BlameBlock) => void;
}

export function MemoryText({ current, edit, mode, block, onBlock }: MemoryTextProps) {
  if (mode === "plain") return <PlainText current={current} edit={edit} />;
  if (mode === "blame") return <Blame current={current} text={edit.text} block={block} onBlock={onBlock} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-5">
      <Markdown text={edit.text} />
    </div>
  );
}

function PlainText({ current, edit }: { current: MemoryDetail; edit: MemoryEdit }) {
  const cut = current.cut ? cutLines(current.cut, edit.text) : null;
  return (
    <>
      <textarea
        aria-label={`Text of ${current.path}`}
        spellCheck={false}
        dir="auto"
        value={edit.text}
        onChange={(event) => edit.setText(event.target.value)}
        className="min-h-0 w-full flex-1 resize-none bg-surface p-3 font-mono text-xs leading-6 -outline-offset-2 pointer-coarse:text-lg"
      />
      {cut ? <CutLine words={`The model does not read ${cutRange(cut)}`} /> : null}
    </>
  );
}

function cutRange({ from, to }: { from: number; to: number }): string {
  return Number.isFinite(to) ? `lines ${from} to ${to}` : `line ${from} and what follows`;
}

type BlameProps = Pick<MemoryTextProps, "current" | "block" | "onBlock"> & { text: string };

function Blame({ current, text, block, onBlock }: BlameProps) {
  const blame = useQuery(memoryBlameQuery(current.id, current.version));
  const versions = useInfiniteQuery(memoryVersionsQuery(current.id));
  const known = new Map((versions.data ?? []).map((version) => [version.version, version]));
  const cut = current.cut ? cutLines(current.cut, text) : null;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <QueryState what="blame" query={blame}>
        {(lines) => {
          const blocks = blameBlocks(lines, text);
          if (blocks.length === 0) return <p className="p-4 text-sm text-muted">The document is empty.</p>;
          return blocks.map((shown) => (
            <Block
              key={shown.start}
              block={shown}
              version={known.get(shown.origin?.version ?? 0)}
              selected={block}
              cut={cut}
              onSelect={onBlock}
            />
          ));
        }}
      </QueryState>
    </div>
  );
}

interface BlockProps {
  block: BlameBlock;
  version: MemoryVersion | undefined;
  selected: BlameBlock | null;
  cut: { readonly from: number; readonly to: number } | null;
  onSelect: (block: BlameBlock) => void;
}

/** Lines with one origin: their author is named once, next to an edge in the colour of people or of runs. */
function Block({ block, version, selected, cut, onSelect }: BlockProps) {
  const isSelected = selected?.start === block.start && selected.lines.length === block.lines.length;
  const isPerson = block.origin === null || block.origin.author === "user";
  const range = block.lines.length === 1 ? `Line ${block.start}` : `Lines ${block.start} to ${lastOf(block)}`;
  return (
    <div className={classNames("flex [content-visibility:auto] max-md:flex-col", isSelected && "bg-selection")}>
      <button
        type="button"
        aria-pressed={isSelected}
        onClick={() => onSelect(block)}
        className={classNames(
          "flex min-h-[23px] w-[208px] shrink-0 items-start gap-1.5 border-r border-b border-l-[3px] border-separator px-2 py-0.5 text-left text-xs -outline-offset-2 max-md:w-full max-md:border-r-0",
          isPerson ? "border-l-signal-mark" : "border-l-border-strong",
          isSelected ? "bg-selection" : "bg-background hover:bg-default",
        )}
      >
        <span className="sr-only">{range}: </span>
        <Writer block={block} version={version} />
      </button>
      <div className="min-w-0 flex-1">
        {block.lines.map((line, at) => {
          const number = block.start + at;
          return (
            <Fragment key={number}>
              {number === cut?.from ? <CutLine words="The model does not read what follows" /> : null}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it leads to the same. */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: a pointer's short cut; the button beside it opens the list of its lines. */}
              <div
                onClick={() => onSelect(lineOfBlock(block, at))}
                className={classNames(
                  "flex font-mono text-xs leading-[23px]",
                  isCut(cut, number) && "opacity-60",
                  !isSelected && selected?.start === number && selected.lines.length === 1 && "bg-selection",
                )}
              >
                <span className="tnum w-9 shrink-0 pr-2 text-right text-2xs leading-[23px] text-subtle select-none">
                  {number}
                </span>
                <span
                  className={classNames(
                    "min-h-[23px] min-w-0 flex-1 pr-4 wrap-anywhere whitespace-pre-wrap",
                    line.startsWith("#") && "text-code-key",
                  )}
                >
                  {line}
                </span>
              </div>
              {number === cut?.to ? <CutLine words="The model reads on from here" /> : null}
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

const lastOf = ({ start, lines }: BlameBlock) => start + lines.length - 1;
const isCut = (cut: BlockProps["cut"], number: number) => cut !== null && number >= cut.from && number <= cut.to;

function CutLine({ words }: { words: string }) {
  return (
    <p className="flex items-center gap-2 border-t-2 border-dashed border-limit px-3 py-1 text-xs text-limit-text">
      {words}
    </p>
  );
}

function Writer({ block: { origin }, version }: { block: BlameBlock; version: MemoryVersion | undefined }) {
  if (origin === null) return <span className="text-muted">You, not saved</span>;
  const day = <span className="tnum shrink-0 text-muted">{dayLabel(origin.at)}</span>;
  if (origin.author === "user") {
    return (
      <>
        <span className="sr-only">{origin.authorName} </span>
        <span className="shrink-0 font-medium">{initials(origin.authorName ?? "?")}</span>
        <span className="truncate text-muted">
          {dayLabel(origin.at)}, {version && version.restoredVersion !== null ? "restored" : "by hand"}
        </span>
      </>
    );
  }
  return (
    <>
      <ListTree className="mt-[3px] size-3 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate">{writerOf(version ?? { ...origin, run: null })}</span>
      {day}
    </>
  );
}
