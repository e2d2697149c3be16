"use client";
import { Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { TextField } from "@/components/ui/controls/text-field";
import { Kbd } from "@/components/ui/kbd";
import { joinReason, splitReason, THUMB_REASONS } from "@/lib/client/chat/thumbs/thumb-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { moveWithArrows } from "@/lib/client/ui/input/move-with-arrows";
import { onEscape } from "@/lib/client/ui/input/on-escape";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { MAX_WHY_CHARS } from "@/lib/schema/traces/score";

const Unsaved = z.object({ reasons: z.array(z.string()), note: z.string() });

/** The reasons take up a line of the text beside the note. */
const MAX_NOTE_CHARS = MAX_WHY_CHARS - 200;

interface ThumbReasonsProps {
  /** Identifies the reply: what was not saved is kept while it is out of view. */
  memory: string;
  why: string | null;
  takesFocus: boolean;
  onSave: (why: string) => void;
  onClose: () => void;
}

/** Why a reply was bad: reasons to choose (1 to 6) and a note. Escape closes it, the thumb stays. */
export function ThumbReasons({ memory, why, takesFocus, onSave, onClose }: ThumbReasonsProps) {
  const kept = useRemembered(`thumb ${memory}`, Unsaved);
  const { reasons, note } = kept.value ?? splitReason(why);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    form.current?.querySelector<HTMLElement>("[data-reason]")?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, [takesFocus]);
  const toggle = (reason: string) => {
    const chosen = reasons.includes(reason) ? reasons.filter((one) => one !== reason) : [...reasons, reason];
    kept.set({ reasons: chosen, note });
  };
  const save = () => {
    kept.forget();
    onSave(joinReason({ reasons, note }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    onEscape(onClose)(event);
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      return save();
    }
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const reason = /^[1-6]$/.test(event.key) ? THUMB_REASONS[Number(event.key) - 1] : undefined;
    if (reason === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    toggle(reason);
  };
  return (
    <form
      ref={form}
      className="relative order-last my-1 ml-1 flex basis-full flex-col gap-2 rounded-lg border border-border bg-surface px-3 pt-2.5 pb-3 text-foreground"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-sm font-medium">What was wrong with this reply?</h2>
        <IconButton label="Close the reasons" shortcut="Esc" onPress={onClose}>
          <X />
        </IconButton>
      </div>
      <div role="toolbar" aria-label="Reasons" onKeyDown={moveWithArrows} className="flex flex-wrap gap-2">
        {THUMB_REASONS.map((reason, index) => {
          const isChosen = reasons.includes(reason);
          return (
            <button
              key={reason}
              type="button"
              data-reason
              aria-pressed={isChosen}
              aria-keyshortcuts={String(index + 1)}
              title={`Key ${index + 1}`}
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => toggle(reason)}
              className={classNames(
                "flex h-7 items-center gap-1.5 rounded-md border px-2.5 text-xs touch-row hover:bg-default",
                isChosen ? "border-foreground font-medium" : "border-border-strong",
              )}
            >
              {isChosen ? <Check className="size-3.5" aria-hidden /> : null}
              {reason}
            </button>
          );
        })}
      </div>
      <TextField
        label="Note"
        rows={2}
        maxLength={MAX_NOTE_CHARS}
        value={note}
        onChange={(text) => kept.set({ reasons: [...reasons], note: text })}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          Save <Kbd>⌘⏎</Kbd>
        </Button>
      </div>
    </form>
  );
}
