"use client";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from "react";
import { z } from "zod";
import { useShell } from "@/components/shell/shell-context";
import { ICON_BUTTON, ICON_BUTTON_SIZES } from "@/components/ui/controls/icon-button";
import { type Thumb, type ThumbValue, useThumb } from "@/lib/client/chat/thumbs/use-thumb";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";

const ThumbReasons = lazy(async () => ({
  default: (await loadWithRetry(() => import("./thumb-reasons"))).ThumbReasons,
}));

const IsOpen = z.boolean();

/** Up or down below a reply; down opens the reasons in place. A second press removes the thumb, with Undo. */
export function ReplyThumbs({ threadId, runId }: { threadId: string; runId: string }) {
  const { viewer } = useShell();
  const thumb = useThumb(threadId, runId, viewer.id);
  const open = useRemembered(`thumb open ${runId}`, IsOpen);
  const down = useRef<HTMLButtonElement>(null);
  // A form left open is shown again after a reload; it takes the focus only when it is opened.
  const [isPressed, setPressed] = useState(false);
  const isOpen = open.value === true && thumb.value === -1;
  const press = (value: ThumbValue) => {
    setPressed(true);
    if (thumb.value !== value) {
      thumb.give({ value, why: "" });
      return open.set(value === -1);
    }
    const { why } = thumb;
    thumb.give(null);
    open.set(false);
    showToast({ title: "Thumb taken back", onUndo: () => thumb.give({ value, why: why ?? "" }) });
  };
  const close = () => {
    open.set(false);
    down.current?.focus();
  };
  return (
    <>
      <ThumbButton label="Good reply" value={1} thumb={thumb} onPress={press}>
        <ThumbsUp aria-hidden />
      </ThumbButton>
      <ThumbButton label="Bad reply" value={-1} thumb={thumb} onPress={press} buttonRef={down}>
        <ThumbsDown aria-hidden />
      </ThumbButton>
      <span role="status" className="sr-only">
        {thumb.state === "stored" && thumb.value !== null ? wordsOf(thumb.value) : ""}
      </span>
      {thumb.value === -1 && !isOpen && thumb.state !== "failed" ? (
        <button
          type="button"
          tabIndex={-1}
          className="max-w-48 min-w-0 truncate rounded-sm px-1 text-link touch-row hover:underline"
          onClick={() => {
            setPressed(true);
            open.set(true);
          }}
        >
          {thumb.why?.split("\n")[0] || "Say why"}
        </button>
      ) : null}
      {thumb.state === "failed" ? <NotStored thumb={thumb} /> : null}
      {isOpen ? (
        <Suspense>
          <ThumbReasons
            memory={runId}
            takesFocus={isPressed}
            why={thumb.why}
            onSave={(why) => {
              thumb.give({ value: -1, why });
              close();
            }}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function wordsOf(value: ThumbValue): string {
  return value === 1 ? "Marked as a good reply" : "Marked as a bad reply";
}

interface ThumbButtonProps {
  label: string;
  value: ThumbValue;
  thumb: Thumb;
  onPress: (value: ThumbValue) => void;
  buttonRef?: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
}

/** Filled once it is stored; a dashed outline until then. A plain button, like a reply's others. */
function ThumbButton({ label, value, thumb, onPress, buttonRef, children }: ThumbButtonProps) {
  const isGiven = thumb.value === value;
  return (
    <button
      ref={buttonRef}
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={isGiven ? `${label}: press again to take it back` : label}
      aria-pressed={isGiven}
      aria-busy={isGiven && thumb.state === "sending"}
      // Not `disabled`, so that the bar's arrow keys pass over it from the start.
      aria-disabled={thumb.isLoading}
      onClick={() => (thumb.isLoading ? undefined : onPress(value))}
      className={classNames(
        ICON_BUTTON,
        ICON_BUTTON_SIZES.sm,
        "[&>svg]:size-3.5",
        isGiven && "bg-default text-foreground [&>svg]:fill-current",
        isGiven && thumb.state !== "stored" && "outline -outline-offset-1 outline-border-strong outline-dashed",
      )}
    >
      {children}
    </button>
  );
}

function NotStored({ thumb }: { thumb: Thumb }) {
  return (
    <span role="alert" className="flex min-w-0 items-center gap-2 px-1 text-fail-text" title={thumb.problem ?? ""}>
      <span className="truncate">Thumb not stored.</span>
      <button type="button" className="shrink-0 text-link touch-row hover:underline" onClick={thumb.retry}>
        Send again
      </button>
      <button type="button" className="shrink-0 text-link touch-row hover:underline" onClick={thumb.discard}>
        Discard
      </button>
    </span>
  );
}
