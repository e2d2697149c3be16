"use client";
import { ArrowUp, CornerDownRight, Square, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { showToast } from "@/components/ui/toast";
import { errorMessage } from "@/lib/client/api";
import { classNames } from "@/lib/client/class-names";
import { SlashMenu, useSlashMenu } from "./slash-menu";

export interface QueuedMessage {
  id: string;
  text: string;
}

export interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isRunning: boolean;
  /** The run waits for decisions; a message declines them and starts the next run. */
  isWaiting?: boolean;
  /** Resolves once the server has the message; the text stays when it rejects. */
  onSend: (text: string) => Promise<void>;
  onStop: () => void;
  queued: readonly QueuedMessage[];
  onRemoveQueued: (id: string) => void;
  /** Agent and model pickers. */
  pickers: ReactNode;
  /** Above the field: what a person should know before sending. */
  note?: ReactNode;
  inputRef?: RefObject<HTMLTextAreaElement | null>;
  isDisabled?: boolean;
}

/** Enter sends, Shift+Enter breaks the line, Escape stops the run. Sending while a run goes on queues. */
export function Composer(props: ComposerProps) {
  const { text, onText, isRunning, isWaiting = false, queued, pickers, note, inputRef, isDisabled } = props;
  const [isSending, setSending] = useState(false);
  const guard = useRef(false);
  const send = async () => {
    const content = text.trim();
    if (content === "" || guard.current || isDisabled) return;
    guard.current = true;
    setSending(true);
    try {
      await props.onSend(content);
      onText("");
    } catch (error) {
      showToast({ title: "The message was not sent", description: errorMessage(error), tone: "error" });
    } finally {
      guard.current = false;
      setSending(false);
    }
  };
  const menuId = useId();
  const menu = useSlashMenu(text, onText);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || menu.onKeyDown(event)) return;
    if (event.key === "Escape" && (isRunning || isWaiting)) props.onStop();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className="mx-auto w-full max-w-[776px] shrink-0 px-6 pt-2 pb-4 max-sm:px-3 max-sm:pb-3">
      {note}
      <SlashMenu id={menuId} menu={menu} />
      <Queue queued={queued} onRemove={props.onRemoveQueued} />
      <div
        className={classNames(
          "border border-border-strong bg-surface focus-within:border-focus focus-within:ring-1 focus-within:ring-focus",
          queued.length > 0 ? "rounded-b-lg" : "rounded-lg",
        )}
      >
        <textarea
          ref={inputRef}
          aria-label="Message"
          aria-controls={menu.commands.length > 0 ? menuId : undefined}
          aria-activedescendant={menu.commands.length > 0 ? `${menuId}-${menu.activeIndex}` : undefined}
          rows={Math.min(10, text.split("\n").length)}
          value={text}
          disabled={isDisabled}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={placeholderFor(isRunning, isWaiting)}
          className="block field-sizing-content max-h-60 min-h-11 w-full resize-none bg-transparent px-3 pt-2.5 text-base outline-none"
        />
        <div className="flex items-center gap-1 px-2 pb-2">
          {pickers}
          <span className="flex-1" />
          {isRunning || isWaiting ? <StopButton onStop={props.onStop} /> : null}
          <IconButton
            label={isRunning ? "Queue message" : "Send message"}
            shortcut="Enter"
            isDisabled={text.trim() === "" || isSending || isDisabled}
            onPress={() => void send()}
            className="ml-1 bg-accent! text-accent-foreground! hover:bg-accent/88!"
          >
            <ArrowUp />
          </IconButton>
        </div>
      </div>
    </div>
  );
}

function placeholderFor(isRunning: boolean, isWaiting: boolean): string {
  if (isWaiting) return "A new message declines what waits above";
  return isRunning ? "Queue a message" : "Ask for something to be done, or / for commands";
}

function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <button
      type="button"
      onClick={onStop}
      className="ml-2 flex h-7 items-center gap-1.5 rounded-md border border-border-strong px-2.5 text-xs font-medium touch-row hover:bg-default"
    >
      <Square className="size-3 fill-current" aria-hidden />
      Stop <Kbd>Esc</Kbd>
    </button>
  );
}

interface QueueProps {
  queued: readonly QueuedMessage[];
  onRemove: (id: string) => void;
}

function Queue({ queued, onRemove }: QueueProps) {
  if (queued.length === 0) return null;
  return (
    <ol
      aria-label="Queued messages"
      className="divide-y divide-separator rounded-t-lg border border-b-0 border-border bg-surface-secondary"
    >
      {queued.map((message, index) => (
        <li key={message.id} className="flex items-center gap-2 py-1 pr-1 pl-3 text-sm">
          <CornerDownRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
          <span className="shrink-0 text-xs text-muted">{index === 0 ? "Next" : "Then"}</span>
          <span className="min-w-0 flex-1 truncate" title={message.text}>
            {message.text}
          </span>
          {index === 0 ? (
            <span className="shrink-0 text-xs text-muted max-sm:hidden">sent when this run ends</span>
          ) : null}
          <IconButton label="Remove queued message" size="xs" onPress={() => onRemove(message.id)}>
            <X />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
