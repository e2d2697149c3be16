"use client";
import { ArrowDown, ArrowUp, ChevronsDownUp, ChevronsUpDown, Copy } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { LayoutSwitch, type LayoutSwitchProps } from "@/components/trace/layout-switch";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Kbd } from "@/components/ui/kbd";
import type { Reading } from "@/lib/client/trace/read/use-reading";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { formatCount } from "@/lib/client/ui/text/format";

export interface ReadToolsProps extends LayoutSwitchProps {
  reading: Reading;
  searchRef: RefObject<HTMLInputElement | null>;
  errorCount: number;
  onNextError: () => void;
  waitCount: number;
  onNextWait: () => void;
  isAllOpen: boolean;
  onFold: () => void;
  onCopy: () => void;
}

/** Layout, search with its hits, errors and waits; what the text can do. */
export function ReadTools({ reading, searchRef, isAllOpen, onFold, onCopy, ...props }: ReadToolsProps) {
  const search = useSettledText(reading.search, reading.setSearch);
  const onEnter = ({ shiftKey }: KeyboardEvent) => {
    search.onBlur();
    reading.goHit(shiftKey ? -1 : 1);
  };
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-3 border-y border-border px-3 py-1.5 text-xs">
      <LayoutSwitch layout={props.layout} onLayout={props.onLayout} />
      <div className="flex items-center gap-1 max-sm:w-full">
        <SearchField
          {...search}
          label="Search the text"
          placeholder="Search the text"
          inputRef={searchRef}
          shortcut="/"
          onEnter={onEnter}
          className="h-7 w-52 max-sm:min-w-0 max-sm:flex-1"
        />
        <Hits reading={reading} />
      </div>
      <Jump count={props.errorCount} word="error" shortcut="e" onPress={props.onNextError} className="text-fail-text" />
      <Jump count={props.waitCount} word="wait" shortcut="w" onPress={props.onNextWait} className="text-signal-text" />
      <span className="flex-1" />
      <Button variant="ghost" onPress={onFold}>
        {isAllOpen ? <ChevronsDownUp aria-hidden /> : <ChevronsUpDown aria-hidden />}
        {isAllOpen ? "Fold all" : "Open all"}
      </Button>
      <Button onPress={onCopy}>
        <Copy aria-hidden />
        Copy as Markdown
      </Button>
    </div>
  );
}

function Hits({ reading }: { reading: Reading }) {
  const { search, matches, hitNumber, goHit } = reading;
  if (search.trim() === "") return null;
  return (
    <>
      <span role="status" className="tnum min-w-14 px-1 text-muted">
        {matches.length === 0 ? "Nothing found" : `${formatCount(hitNumber)} of ${formatCount(matches.length)}`}
      </span>
      <IconButton
        label="Previous hit"
        shortcut="Shift Enter"
        isDisabled={matches.length === 0}
        onPress={() => goHit(-1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton label="Next hit" shortcut="Enter" isDisabled={matches.length === 0} onPress={() => goHit(1)}>
        <ArrowDown />
      </IconButton>
    </>
  );
}

interface JumpProps {
  count: number;
  word: string;
  shortcut: string;
  onPress: () => void;
  className: string;
}

function Jump({ count, word, shortcut, onPress, className }: JumpProps) {
  if (count === 0) return null;
  return (
    <button
      type="button"
      onClick={onPress}
      className={`flex h-6 shrink-0 items-center gap-1.5 rounded-md px-1.5 touch-row hover:bg-default ${className}`}
    >
      {count === 1 ? `1 ${word}` : `${formatCount(count)} ${word}s`} <Kbd>{shortcut}</Kbd>
    </button>
  );
}
