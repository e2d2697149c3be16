"use client";
import { GripVertical, Pencil, X } from "lucide-react";
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { QueueControls } from "@/lib/client/chat/composer/queue-controls";
import { useLostEdit } from "@/lib/client/chat/composer/use-lost-edit";
import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import { classNames } from "@/lib/client/ui/class-names";
import { splitAttached } from "@/lib/schema/messages/attached-files";

const NONE: ReadonlySet<string> = new Set();

/** The messages for the next model call, then those sent when the run ends, in order. */
export function QueuedList({ queue }: { queue: QueueControls }) {
  const { messages, isSteerable } = queue;
  const [busy, setBusy] = useState(NONE);
  const [edited, setEdited] = useState<string | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string | null>(null);
  const order = messages.map(({ id }) => id).join(" ");
  // A row that changes its place loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the order
  useEffect(() => {
    if (moved.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-grip="${CSS.escape(moved.current)}"]`)?.focus();
    moved.current = null;
  }, [order]);
  const during = async (id: string, work: () => Promise<boolean>): Promise<boolean> => {
    if (busy.has(id)) return false;
    setBusy((ids) => new Set([...ids, id]));
    try {
      return await work();
    } finally {
      setBusy((ids) => new Set([...ids].filter((other) => other !== id)));
    }
  };
  const move = (id: string, position: number) => {
    if (position < 1 || position > messages.length) return;
    moved.current = id;
    void during(id, () => queue.change(id, { position }));
  };
  const remove = async (message: QueuedMessage, index: number) => {
    if (!(await during(message.id, () => queue.remove(message, index + 1)))) return;
    const [next] = list.current?.querySelectorAll<HTMLElement>("[data-grip]") ?? [];
    if (next) next.focus();
    else queue.focusField();
  };
  let waiting = 0;
  return (
    <ol
      ref={list}
      aria-label="Queued messages"
      className="max-h-48 divide-y divide-separator overflow-y-auto rounded-t-lg border border-b-0 border-border bg-surface-secondary"
    >
      {messages.map((message, index) => {
        const nth = message.steers ? 0 : ++waiting;
        const isBusy = busy.has(message.id) || message.isSending === true;
        return (
          <li
            key={message.id}
            aria-busy={isBusy}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== message.id) move(dragged, index + 1);
              setDragged(null);
            }}
            className={classNames("aria-busy:opacity-50", dragged === message.id && "opacity-50")}
          >
            {edited === message.id ? (
              <EditRow
                message={message}
                onSave={(content) => during(message.id, () => queue.change(message.id, { content }))}
                onLost={queue.keep}
                onClose={() => {
                  moved.current = message.id;
                  setEdited(null);
                }}
              />
            ) : (
              <QueuedRow
                message={message}
                nth={nth}
                isFixed={isBusy}
                isSteerable={isSteerable}
                onMove={(by) => move(message.id, index + 1 + by)}
                onDrag={setDragged}
                onSteer={() =>
                  void during(message.id, () => queue.change(message.id, { mode: message.steers ? "queue" : "steer" }))
                }
                onEdit={() => setEdited(message.id)}
                onRemove={() => void remove(message, index)}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface QueuedRowProps {
  message: QueuedMessage;
  /** Its position among those that wait for the end of the run; 0 for a steer. */
  nth: number;
  /** It is being sent to the server, or changed there. */
  isFixed: boolean;
  isSteerable: boolean;
  onMove: (by: 1 | -1) => void;
  onDrag: (id: string | null) => void;
  onSteer: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function QueuedRow({ message, nth, isFixed, isSteerable, ...on }: QueuedRowProps) {
  const line = oneLine(message.text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    on.onMove(event.key === "ArrowUp" ? -1 : 1);
  };
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", line);
    on.onDrag(message.id);
  };
  return (
    <div className="flex h-9 items-center gap-2 pr-1 pl-1.5 text-sm touch-row">
      <button
        type="button"
        data-grip={message.id}
        disabled={isFixed}
        draggable={!isFixed}
        onDragStart={onDragStart}
        onDragEnd={() => on.onDrag(null)}
        onKeyDown={onKeyDown}
        aria-label={`Move “${line.slice(0, 60)}”`}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title="Drag, or Alt ↑ and Alt ↓"
        className="flex h-6 w-5 shrink-0 cursor-grab items-center justify-center rounded-sm text-subtle outline-none focus-visible:outline-2 focus-visible:outline-focus"
      >
        <GripVertical className="size-3.5" aria-hidden />
      </button>
      <span className={classNames("tnum shrink-0 text-xs", message.steers ? "font-medium text-link" : "text-muted")}>
        {message.steers ? "Steer" : `Next ${nth}`}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate" title={message.text}>
        {line}
      </span>
      <span className="shrink-0 text-xs text-muted max-sm:hidden">{whenRead(message, nth)}</span>
      {isFixed ? null : (
        <>
          {isSteerable || message.steers ? (
            <Button variant="ghost" size="sm" onPress={on.onSteer}>
              {message.steers ? "Queue" : "Steer"}
            </Button>
          ) : null}
          <IconButton label="Edit queued message" size="xs" onPress={on.onEdit}>
            <Pencil />
          </IconButton>
          <IconButton label="Remove queued message" size="xs" onPress={on.onRemove}>
            <X />
          </IconButton>
        </>
      )}
    </div>
  );
}

function whenRead({ steers }: QueuedMessage, nth: number): string {
  if (steers) return "at the next model call";
  return nth === 1 ? "when this run ends" : "after that";
}

interface EditRowProps {
  message: Pick<QueuedMessage, "text">;
  /** Gets what was typed if the message goes away before that is stored. */
  onLost: (text: string) => void;
  /** Resolves to whether it is stored. */
  onSave: (content: string) => Promise<boolean>;
  onClose: () => void;
}

/** Edits the text in place; its files stay attached. */
export function EditRow({ message, onSave, onClose, onLost }: EditRowProps) {
  const { text } = splitAttached(message.text);
  const [now, setNow] = useState(text);
  const [isSaving, setSaving] = useState(false);
  const attached = message.text.slice(text.length);
  const isEmpty = now.trim() === "" && attached === "";
  const edit = useLostEdit(now.trim() === "" || now === text ? null : now, onLost);
  const cancel = () => {
    edit.drop();
    onClose();
  };
  const save = async () => {
    if (isEmpty || isSaving) return;
    if (now === text) return onClose();
    setSaving(true);
    const isStored = await edit.store(onSave(`${now.trim()}${attached}`)).finally(() => setSaving(false));
    if (isStored) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className="flex items-end gap-1 p-1">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit it
        autoFocus
        dir="auto"
        aria-label="Edit queued message"
        rows={Math.min(6, now.split("\n").length)}
        value={now}
        // What was typed while the server stores the words would be lost.
        readOnly={isSaving}
        onChange={(event) => setNow(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-36 min-h-8 min-w-0 flex-1 resize-none rounded-sm border border-border-strong bg-surface px-2 py-1 text-sm outline-none focus:border-focus focus:ring-1 focus:ring-focus"
      />
      <Button variant="ghost" size="sm" isDisabled={isSaving} onPress={cancel}>
        Cancel
      </Button>
      <Button size="sm" isDisabled={isEmpty || isSaving} onPress={() => void save()}>
        {isSaving ? "Saving…" : "Save"}
      </Button>
    </div>
  );
}

/** The text with the names of its files. */
export function oneLine(message: string): string {
  const { text, files } = splitAttached(message);
  return [text, ...files.map(({ path }) => path)].filter(Boolean).join(" · ");
}
