"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, GitBranch } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ClockTime } from "@/components/ui/time";
import { chooseBranch } from "@/lib/client/chat/branches/branch-actions";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { showToast } from "@/lib/client/ui/toast-store";
import type { BranchedThread } from "./branch-context";

const FilesThenDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("./files-then-dialog"))).FilesThenDialog,
}));

interface VersionArrowsProps {
  thread: BranchedThread;
  /** One message per version, each of which selects it, oldest first. */
  siblings: readonly string[];
  index: number;
  /** When the shown version was sent, if it is not the first one of a person's message. */
  editedAtMs?: number | undefined;
}

const FIELDS = "input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]";
const LABELS = { previous: "Previous version", next: "Next version" } as const;

/** The shown version of a message, and buttons to switch. Shift with an arrow does it for the last message. */
export function VersionArrows({ thread, siblings, index, editedAtMs }: VersionArrowsProps) {
  const client = useQueryClient();
  const group = useRef<HTMLFieldSetElement>(null);
  const [isPending, setPending] = useState(false);
  const [showsFiles, setShowsFiles] = useState(false);
  const shown = siblings[index];
  const key = siblings.join(" ");
  const show = async (way: keyof typeof LABELS) => {
    const messageId = siblings[way === "next" ? index + 1 : index - 1];
    if (messageId === undefined || isPending) return;
    setPending(true);
    const hadFocus = group.current?.contains(document.activeElement) ?? false;
    try {
      await chooseBranch(client, { threadId: thread.id, messageId });
      if (hadFocus) focusArrow(`${messageId} of ${key}`, way);
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    } finally {
      setPending(false);
    }
  };
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
      // Several may be visible: the keys apply to the last one.
      if ([...document.querySelectorAll("[data-versions]")].at(-1) !== group.current) return;
      event.preventDefault();
      void latest.current(event.key === "ArrowLeft" ? "previous" : "next");
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div className="flex flex-wrap items-start gap-x-2 text-xs text-muted">
      <fieldset
        ref={group}
        data-versions={`${siblings[index]} of ${key}`}
        aria-label="Versions"
        aria-busy={isPending}
        className="flex w-full items-center gap-0.5"
      >
        <IconButton
          label={LABELS.previous}
          shortcut="⇧←"
          isDisabled={index === 0}
          onPress={() => void show("previous")}
        >
          <ChevronLeft />
        </IconButton>
        <span className="tnum">{`${index + 1} / ${siblings.length}`}</span>
        <IconButton
          label={LABELS.next}
          shortcut="⇧→"
          isDisabled={index === siblings.length - 1}
          onPress={() => void show("next")}
        >
          <ChevronRight />
        </IconButton>
        {editedAtMs === undefined ? null : (
          <span className="tnum ml-1">
            edited <ClockTime at={editedAtMs} />
          </span>
        )}
      </fieldset>
      <GitBranch aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <p className="min-w-0 flex-1">
        {`Version ${index + 1} of ${siblings.length}. Files are not rolled back.`}
        {thread.isRunningElsewhere ? " Another version is still being answered." : ""}
      </p>
      <button
        type="button"
        onClick={() => setShowsFiles(true)}
        className="ml-1 shrink-0 text-link touch-target hover:underline"
      >
        Files as of then
      </button>
      {showsFiles && shown !== undefined ? (
        <Suspense>
          <FilesThenDialog threadId={thread.id} messageId={shown} onClose={() => setShowsFiles(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

const FRAMES = 60;

/** The version has its own arrows, which are drawn once it is shown. */
function focusArrow(version: string, way: keyof typeof LABELS, frames = FRAMES): void {
  const groups = [...document.querySelectorAll<HTMLElement>("[data-versions]")];
  const buttons = groups.find(({ dataset }) => dataset.versions === version)?.querySelectorAll("button:not(:disabled)");
  const wanted = [...(buttons ?? [])].find((button) => button.getAttribute("aria-label") === LABELS[way]);
  const button = wanted ?? buttons?.[0];
  if (button instanceof HTMLElement) button.focus();
  else if (frames > 0) requestAnimationFrame(() => focusArrow(version, way, frames - 1));
}
