"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, GitCompare, History, Trash2, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Menu } from "@/components/ui/overlays/menu";
import { Sheet } from "@/components/ui/overlays/sheet";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Time } from "@/components/ui/time";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { type BlameBlock, lineIdOf } from "@/lib/client/memory/blame-blocks";
import { deleteMemory, memoryDocumentQuery, restoreMemory } from "@/lib/client/memory/memory-queries";
import { type MemoryEdit, useMemoryEdit } from "@/lib/client/memory/use-memory-edit";
import { useWithdraw } from "@/lib/client/memory/use-withdraw";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { WIDE } from "@/lib/client/ui/wide";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { CompareDialog } from "./compare-dialog";
import { MemoryConflictView } from "./memory-conflict-view";
import { MemoryHistory } from "./memory-history";
import { type MemoryMode, MemoryText, ModeSwitch } from "./memory-text";

interface MemoryDocumentViewProps {
  id: string;
  back: ReactNode;
  onDeleted: () => void;
}

/** A document: who wrote each line, an editor for its text, and its history. */
export function MemoryDocumentView({ id, back, onDeleted }: MemoryDocumentViewProps) {
  const document = useQuery(memoryDocumentQuery(id));
  if (document.data) return <OpenDocument current={document.data} back={back} onDeleted={onDeleted} />;
  const isGone = document.error instanceof ApiError && document.error.status === 404;
  return (
    <>
      <PageHead lead={back} title="Memory" />
      {isGone ? (
        <EmptyState title="This document is gone">
          The document, its agent or its thread was deleted. Choose another document.
        </EmptyState>
      ) : (
        <QueryState what="document" query={document}>
          {() => null}
        </QueryState>
      )}
    </>
  );
}

function OpenDocument({ current, back, onDeleted }: { current: MemoryDetail; back: ReactNode; onDeleted: () => void }) {
  const edit = useMemoryEdit(current);
  const [mode, setMode] = useState<MemoryMode>("blame");
  const [block, setBlock] = useState<BlameBlock | null>(null);
  const [isHistoryKept, keepHistory] = useKeptNumber("memory-history", 1);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const toggleHistory = () => {
    if (window.matchMedia(WIDE).matches) keepHistory(isHistoryKept === 1 ? 0 : 1);
    else setDrawerOpen(true);
  };
  /** Where the history has no place beside the text, it opens with what was chosen. */
  const choose = (chosen: BlameBlock) => {
    setBlock(chosen);
    if (!window.matchMedia(WIDE).matches) setDrawerOpen(true);
  };
  const withdraw = useWithdraw(current);
  const shown = mode === "blame" ? block : null;
  const canWithdraw = shown !== null && !edit.isDirty && !withdraw.isPending && lineIdOf(shown) !== null;
  const withdrawShown = () => {
    if (!canWithdraw) return;
    withdraw.mutate(shown);
    setBlock(null);
  };
  useShortcuts({
    b: () => setMode(mode === "blame" ? "plain" : "blame"),
    h: toggleHistory,
    "mod+s": edit.save,
    ...(canWithdraw ? { e: () => setMode("plain"), Backspace: withdrawShown } : {}),
  });
  const history = (
    <MemoryHistory
      current={current}
      edit={edit}
      block={shown}
      onBlock={setBlock}
      onWithdraw={canWithdraw ? withdrawShown : null}
    />
  );
  return (
    <>
      <PageHead
        lead={
          <>
            {back}
            <span className="text-sm text-muted max-lg:hidden">Memory /</span>
          </>
        }
        title={<span className="font-mono text-xs">{current.path}</span>}
        facts={<Summary current={current} />}
        actions={
          <DocumentActions
            current={current}
            edit={edit}
            onDeleted={onDeleted}
            onHistory={toggleHistory}
            onCompare={() => setComparing(true)}
          />
        }
      />
      {edit.conflict ? <MemoryConflictView conflict={edit.conflict} path={current.path} /> : null}
      <div className="flex min-h-0 flex-1">
        <section aria-label={current.path} className="flex min-w-0 flex-1 flex-col">
          <ModeSwitch mode={mode} onMode={setMode} />
          <MemoryText current={current} edit={edit} mode={mode} block={block} onBlock={choose} />
          <Legend current={current} edit={edit} />
        </section>
        {isHistoryKept === 1 ? (
          <aside
            aria-label="History"
            className="flex w-[316px] shrink-0 flex-col border-l border-border bg-background max-xl:hidden"
          >
            {history}
          </aside>
        ) : null}
      </div>
      <Sheet label="History" isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)}>
        {history}
      </Sheet>
      {isComparing ? <CompareDialog current={current} onClose={() => setComparing(false)} /> : null}
    </>
  );
}

const PROMPT_LABELS = {
  always: "in every prompt",
  first_chat: "in the prompt of the first chat",
  no: "in no prompt",
} as const;

function Summary({ current }: { current: MemoryDetail }) {
  const { author, name } = current.updatedBy;
  const writer = author === "agent" ? "a run" : author === "user" ? (name ?? "a person") : author;
  return (
    <p className="flex min-w-0 items-center gap-2 truncate text-xs text-muted">
      <span className="tnum">v{current.version}</span>
      <span className="truncate max-lg:hidden">
        · {formatCount(current.sizeChars)} characters, about {formatCount(current.tokens)} tokens{" "}
        {PROMPT_LABELS[current.inPrompt]} · written <Time at={current.updatedAt} isInSentence /> by {writer}
      </span>
    </p>
  );
}

interface DocumentActionsProps {
  current: MemoryDetail;
  edit: MemoryEdit;
  onDeleted: () => void;
  onHistory: () => void;
  onCompare: () => void;
}

function DocumentActions({ current, edit, onDeleted, onHistory, onCompare }: DocumentActionsProps) {
  const queryClient = useQueryClient();
  const settle = () => queryClient.invalidateQueries({ queryKey: MEMORY_KEY });
  // A deleted document's view may still be mounted: refetching it would be a 404.
  const settleOthers = () =>
    queryClient.invalidateQueries({
      queryKey: MEMORY_KEY,
      predicate: ({ queryKey }) => !queryKey.includes(current.id),
    });
  const fail = (error: unknown) => showToast({ title: errorMessage(error), tone: "error" });
  const remove = async () => {
    try {
      await deleteMemory(current.id);
      onDeleted();
      void settleOthers();
      const undo = () => restoreMemory(current.id, current.version).then(settle, fail);
      showToast({ title: `Deleted ${current.path}`, onUndo: () => void undo() });
    } catch (error) {
      fail(error);
      await settle();
    }
  };
  return (
    <>
      <Menu
        label={`Actions for ${current.path}`}
        trigger={
          <IconButton label={`Actions for ${current.path}`}>
            <Ellipsis />
          </IconButton>
        }
        actions={[
          ...(edit.isDirty
            ? [{ id: "discard", label: "Discard changes", icon: <Undo2 aria-hidden />, onAction: edit.discard }]
            : []),
          {
            id: "delete",
            label: "Delete",
            icon: <Trash2 aria-hidden />,
            isDanger: true,
            onAction: () => void remove(),
          },
        ]}
      />
      <IconButton label="History" shortcut="h" onPress={onHistory}>
        <History />
      </IconButton>
      <Button onPress={onCompare} className="max-md:hidden">
        <GitCompare aria-hidden />
        Compare
      </Button>
      <Button
        variant="primary"
        isPending={edit.isSaving}
        isDisabled={!edit.isDirty || edit.conflict !== null}
        onPress={edit.save}
      >
        Save
        <span className="max-md:hidden">
          <Kbd>⌘S</Kbd>
        </span>
      </Button>
    </>
  );
}

function Legend({ current, edit }: { current: MemoryDetail; edit: MemoryEdit }) {
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-border bg-background px-3 text-xs text-muted">
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="h-3 w-[3px] bg-signal-mark" /> a person
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="h-3 w-[3px] bg-border-strong" /> a run
      </span>
      {edit.isDirty ? (
        <span role="status">Not saved</span>
      ) : current.cut ? (
        <span className="truncate text-limit-text">{current.cut.reason}</span>
      ) : null}
      <span className="ml-auto flex items-center gap-2 max-md:hidden pointer-coarse:hidden">
        <Kbd>b</Kbd> blame <Kbd>h</Kbd> history
      </span>
    </footer>
  );
}
