"use client";
import { ArrowUp, Square } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Kbd } from "@/components/ui/kbd";
import type { HeldControls, QueueControls } from "@/lib/client/chat/composer/queue-controls";
import { useArrivingDraft } from "@/lib/client/chat/composer/use-arriving-draft";
import type { SlashCommand } from "@/lib/client/chat/composer/use-commands";
import { useComposer } from "@/lib/client/chat/composer/use-composer";
import { useComposerFocus } from "@/lib/client/chat/composer/use-composer-focus";
import type { McpOffers } from "@/lib/client/chat/composer/use-mcp-offers";
import { useRecall } from "@/lib/client/chat/composer/use-recall";
import { useAttachments } from "@/lib/client/files/use-attachments";
import { classNames } from "@/lib/client/ui/class-names";
import { useEarlyTyping } from "@/lib/client/ui/input/use-early-typing";
import { showToast } from "@/lib/client/ui/toast-store";
import { AttachButton, AttachedList } from "./attachments";
import { LazyDictation } from "./dictation/lazy-dictation";
import { LazyHeldList, LazyQueuedList, LazySendMode } from "./lazy-queue";
import type { SendModeProps } from "./send-mode";
import { SlashMenu, useSlashMenu } from "./slash-menu";

export interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isRunning: boolean;
  /** The run waits for decisions; a message declines them and starts the next run. */
  isWaiting?: boolean;
  /** The first message was sent, and its thread is being opened. */
  isOpening?: boolean;
  /** The person's messages so far, the newest last: arrow up in the empty field recalls them. */
  sent?: readonly string[];
  /** Resolves once the server has the message; text and files stay if it rejects. */
  onSend: (text: string, files: readonly File[]) => Promise<void>;
  /** False if the agent has no workspace to hold them. */
  mayAttach: boolean;
  /** The place where attached files are kept until they are sent: the thread, or whose start page. */
  attachPlace?: string;
  /** The commands that work on this page; by default all. */
  commands?: readonly SlashCommand[];
  /** The agent's skills, offered after a slash along with the commands. */
  skills?: readonly SlashCommand[];
  /** Prompts after a slash and resources after an `@`, from the agent's MCP servers. */
  mcp?: McpOffers | undefined;
  /** Agents after an `@`: the chosen one answers this message. */
  agents?: readonly SlashCommand[];
  /** The element that loads them (`useMcpMenu`). */
  mcpHost?: ReactNode;
  /** The run was asked to stop and continues for a moment. */
  isStopping?: boolean;
  onStop: () => void;
  /** The queued messages, shown above the field. */
  queue?: Omit<QueueControls, "focusField">;
  /** Those that a stop has held, shown above them. */
  held?: Omit<HeldControls, "focusField">;
  /** If a run can be steered: when messages sent during it are read. */
  sendMode?: SendModeProps & { readonly agentName: string };
  /** Agent and model pickers. */
  pickers: ReactNode;
  /** Next to Send: how full the model's window is. */
  meter?: ReactNode;
  /** Above the field: what a person should know before sending. */
  note?: ReactNode;
  inputRef?: RefObject<HTMLTextAreaElement | null>;
  isDisabled?: boolean;
  /** Beside the page's main content: it doesn't take the focus automatically. */
  isAside?: boolean;
  /** Shown in the empty field while no run is open. */
  placeholder?: string;
}

/** Enter sends, Shift+Enter breaks the line, Escape stops the run. A message sent during a run is queued. */
export function Composer(props: ComposerProps) {
  const { text, onText, isRunning, isWaiting = false, isOpening = false, note, isDisabled } = props;
  const lists = listsAbove(props);
  const isSteering = (isRunning || isWaiting) && props.sendMode?.mode === "steer";
  const ownRef = useRef<HTMLTextAreaElement>(null);
  const inputRef = props.inputRef ?? ownRef;
  useArrivingDraft(inputRef, text);
  useEarlyTyping({ field: inputRef, value: text, onChange: onText });
  const attachments = useAttachments({
    mayAttach: props.mayAttach && !isDisabled,
    onRefused: refuseFiles,
    place: props.attachPlace,
  });
  const { send, isSending } = useComposer(props, attachments);
  const takeFocus = useComposerFocus(inputRef, {
    isDisabled: isDisabled ?? false,
    isAside: props.isAside ?? false,
  });
  const sendNow = async () => {
    takeFocus();
    await send();
  };
  const menuId = useId();
  const menu = useSlashMenu(text, onText, props);
  const recall = useRecall(text, onText, props.sent);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isOfComposition(event) || menu.onKeyDown(event) || recall.onKeyDown(event)) return;
    if (event.key === "Escape" && (isRunning || isWaiting)) props.onStop();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void sendNow();
  };
  const isEmpty = text.trim() === "" && attachments.items.length === 0;
  return (
    <div className="mx-auto w-full max-w-[776px] shrink-0 px-6 pt-2 pb-4 max-sm:px-3 max-sm:pb-3">
      {note}
      {props.mcpHost}
      {lists.held ? <LazyHeldList held={{ ...lists.held, focusField: () => inputRef.current?.focus() }} /> : null}
      {lists.queue ? <LazyQueuedList queue={{ ...lists.queue, focusField: () => inputRef.current?.focus() }} /> : null}
      <div
        className={classNames(
          "relative border border-border-strong bg-surface focus-within:border-focus focus-within:ring-1 focus-within:ring-focus",
          lists.queue || lists.held ? "rounded-b-lg" : "rounded-lg",
        )}
      >
        <SlashMenu id={menuId} menu={menu} />
        {attachments.isDropping ? <DropMark /> : null}
        <AttachedList items={attachments.items} isUploading={isSending} onRemove={attachments.remove} />
        <textarea
          ref={inputRef}
          data-composer
          dir="auto"
          aria-label="Message"
          aria-busy={isSending || isOpening}
          aria-controls={menu.commands.length > 0 ? menuId : undefined}
          aria-activedescendant={menu.commands.length > 0 ? `${menuId}-${menu.activeIndex}` : undefined}
          rows={Math.min(10, text.split("\n").length)}
          value={text}
          disabled={isDisabled}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => pasteFiles(event, attachments.add)}
          placeholder={
            isOpening ? "Opening the thread" : placeholderFor({ isRunning, isWaiting, isSteering }, props.placeholder)
          }
          className="block field-sizing-content max-h-60 min-h-11 w-full resize-none bg-transparent px-3 pt-2.5 text-base outline-none aria-busy:text-muted"
        />
        {isSteering ? <SteerNote agentName={props.sendMode?.agentName ?? ""} isWaiting={isWaiting} /> : null}
        <ComposerBar
          {...props}
          isSteering={isSteering}
          isSendable={!isEmpty && !isSending}
          onSendNow={sendNow}
          onFiles={attachments.add}
        />
      </div>
    </div>
  );
}

/** Those of the two lists that have a message. */
function listsAbove({ queue, held }: Pick<ComposerProps, "queue" | "held">) {
  return {
    queue: queue && queue.messages.length > 0 ? queue : null,
    held: held && held.messages.length > 0 ? held : null,
  };
}

/**
 * The keyCode of a key that an input method has consumed. Safari ends a composition before it reports the key that
 * ended it.
 */
const INPUT_METHOD = 229;

function isOfComposition({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === INPUT_METHOD;
}

function SteerNote({ agentName, isWaiting }: { agentName: string; isWaiting: boolean }) {
  return (
    <p className="px-3 pb-1.5 text-xs text-muted">
      {isWaiting
        ? `${agentName} reads it once the request above is decided. Nothing is denied.`
        : `${agentName} reads it before its next step. What runs now is not cut off.`}
    </p>
  );
}

interface ComposerBarProps extends ComposerProps {
  isSteering: boolean;
  isSendable: boolean;
  onSendNow: () => Promise<void>;
  onFiles: (files: readonly File[]) => void;
}

function ComposerBar({
  pickers,
  isRunning,
  isWaiting,
  isStopping = false,
  isDisabled,
  isSendable,
  isSteering,
  sendMode,
  ...props
}: ComposerBarProps) {
  return (
    <div className="flex items-center gap-x-1 gap-y-1.5 px-2 pb-2 max-sm:flex-wrap">
      <div className="flex min-w-0 flex-1 items-center gap-1 max-sm:basis-full">
        {props.mayAttach ? <AttachButton isDisabled={isDisabled} onFiles={props.onFiles} /> : null}
        {pickers}
        <LazyDictation text={props.text} onText={props.onText} isDisabled={isDisabled} />
      </div>
      {/* Has room for what a run adds, so that nothing moves when one begins or ends. */}
      <div
        className={classNames(
          "ml-auto flex h-8 shrink-0 items-center justify-end gap-1 max-sm:basis-full",
          sendMode && "sm:min-w-86",
        )}
      >
        {sendMode && (isRunning || isWaiting) ? <LazySendMode mode={sendMode.mode} onMode={sendMode.onMode} /> : null}
        {isRunning || isWaiting ? <StopButton isStopping={isStopping} onStop={props.onStop} /> : null}
        {props.meter}
        <IconButton
          label={isSteering ? "Steer message" : isRunning ? "Queue message" : "Send message"}
          shortcut="Enter"
          isDisabled={!isSendable || isDisabled}
          onPress={() => void props.onSendNow()}
          className="ml-1 bg-accent! text-accent-foreground! hover:bg-accent/88!"
        >
          <ArrowUp />
        </IconButton>
      </div>
    </div>
  );
}

function pasteFiles(event: ClipboardEvent, add: (files: readonly File[]) => void): void {
  const files = [...event.clipboardData.files];
  // Copied cells and formatted text come with a picture of themselves.
  if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  add(files);
}

function refuseFiles(): void {
  showToast({ title: "This agent has no workspace, so files can't be attached", tone: "error" });
}

function DropMark() {
  return (
    <p className="absolute inset-0 z-1 flex items-center justify-center rounded-lg bg-selection text-sm font-medium outline-2 -outline-offset-2 outline-focus outline-dashed">
      Drop the files to attach them
    </p>
  );
}

interface FieldState {
  readonly isRunning: boolean;
  readonly isWaiting: boolean;
  readonly isSteering: boolean;
}

function placeholderFor(
  { isRunning, isWaiting, isSteering }: FieldState,
  idle = "Ask for something, or / for commands",
): string {
  if (isSteering) return "Steer the run";
  if (isWaiting) return "Sending a message denies the request above";
  return isRunning ? "Queue a message" : idle;
}

function StopButton({ isStopping, onStop }: { isStopping: boolean; onStop: () => void }) {
  return (
    <Button isPending={isStopping} onPress={onStop} className="ml-2 bg-transparent max-sm:ml-0 [&>svg]:size-3!">
      <Square className="fill-current" aria-hidden />
      {isStopping ? (
        "Stopping"
      ) : (
        <>
          Stop{" "}
          <span className="max-sm:hidden">
            <Kbd>Esc</Kbd>
          </span>
        </>
      )}
    </Button>
  );
}
