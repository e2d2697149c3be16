"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { type BlameBlock, lineIdOf, lineOfBlock } from "@/lib/client/memory/blame-blocks";
import { changedText, usedText } from "@/lib/client/memory/line-labels";
import { lineUsesQuery } from "@/lib/client/memory/memory-queries";
import type { MemoryDetail, MemoryLineUses } from "@/lib/schema/files/memory";

interface LineRecallProps {
  current: MemoryDetail;
  block: BlameBlock;
  onBlock: (block: BlameBlock) => void;
  /** Null while it can't be withdrawn. */
  onWithdraw: (() => void) | null;
}

/** Where a saved line was used and what withdrawing it changes; of several lines, a choice of one. */
export function LineRecall({ current, block, onBlock, onWithdraw }: LineRecallProps) {
  const id = lineIdOf(block);
  if (id !== null) return <OneLine id={id} version={current.version} onWithdraw={onWithdraw} />;
  const lines = block.lines.map((_, index) => lineOfBlock(block, index)).filter((line) => lineIdOf(line) !== null);
  return lines.length === 0 ? null : <Lines lines={lines} onBlock={onBlock} />;
}

const FIRST_ROWS = 5;
const MORE = "mt-1 text-xs text-link hover:underline touch-row";

function Lines({ lines, onBlock }: { lines: readonly BlameBlock[] } & Pick<LineRecallProps, "onBlock">) {
  const [shown, setShown] = useState(FIRST_ROWS);
  return (
    <section aria-label="Lines" className="border-b border-border p-4">
      <h2 className="text-sm font-medium">Where was it used?</h2>
      <ul className="mt-1">
        {lines.slice(0, shown).map((line) => (
          <li key={line.start}>
            <button
              type="button"
              onClick={() => onBlock(line)}
              className="flex w-full gap-2 rounded-md py-1 text-left text-xs touch-row hover:bg-default"
            >
              <span className="tnum w-6 shrink-0 text-right text-subtle">{line.start}</span>
              <span className="min-w-0 flex-1 truncate">{line.lines[0]}</span>
            </button>
          </li>
        ))}
      </ul>
      {lines.length > shown ? (
        <button type="button" className={MORE} onClick={() => setShown(lines.length)}>
          Show {lines.length - shown} more
        </button>
      ) : null}
    </section>
  );
}

interface OneLineProps extends Pick<LineRecallProps, "onWithdraw"> {
  id: string;
  version: number;
}

function OneLine({ id, version, onWithdraw }: OneLineProps) {
  const uses = useQuery(lineUsesQuery(id, version));
  return (
    <QueryState what="prompts" query={uses} rows={2}>
      {(found) => (
        <>
          <section aria-label="Where it was used" className="border-b border-border p-4">
            <header className="flex items-baseline justify-between">
              <h2 className="text-sm font-medium">Where it was used</h2>
              <span className="text-xs text-muted">
                since <Time at={found.since} isInSentence />
              </span>
            </header>
            <p className="mt-1.5 text-xs leading-5 text-muted">{usedText(found)}</p>
            <Threads threads={found.threads} />
          </section>
          <section aria-label="If it is withdrawn" className="border-b border-border p-4">
            <h2 className="text-sm font-medium">If you withdraw it</h2>
            <p className="mt-1.5 text-xs leading-5 text-muted">{changedText(found)}</p>
            <Threads threads={found.threads.filter(({ changes }) => changes)} isShort />
            <Button size="sm" className="mt-2" isDisabled={onWithdraw === null} onPress={() => onWithdraw?.()}>
              Withdraw
              <span className="max-md:hidden pointer-coarse:hidden">
                <Kbd>⌫</Kbd>
              </span>
            </Button>
          </section>
        </>
      )}
    </QueryState>
  );
}

function Threads({ threads, isShort = false }: { threads: MemoryLineUses["threads"]; isShort?: boolean }) {
  const [shown, setShown] = useState(FIRST_ROWS);
  if (threads.length === 0) return null;
  return (
    <>
      <ul className="mt-1">
        {threads.slice(0, shown).map(({ id, title, prompts, lastAt }) => (
          <li key={id} className="flex min-h-6 items-baseline gap-2 text-xs touch-row">
            <Link
              href={`/threads/${encodeURIComponent(id)}`}
              prefetch={false}
              className="min-w-0 flex-1 truncate text-link hover:underline"
            >
              {title ?? "New thread"}
            </Link>
            {isShort ? null : (
              <span className="tnum shrink-0 text-muted">
                {prompts} · <Time at={lastAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {threads.length > shown ? (
        <button type="button" className={MORE} onClick={() => setShown(threads.length)}>
          Show {threads.length - shown} more
        </button>
      ) : null}
    </>
  );
}
