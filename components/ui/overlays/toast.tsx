"use client";
import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { StateRing } from "@/components/ui/states/state-ring";
import { toastStore as store, type Toast } from "@/lib/client/ui/toast-store";

/** Mounted once per page, in the providers. New toasts are read aloud; the pointer or focus on one keeps all open. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(store.subscribe, store.read, store.readNone);
  const region = useRef<HTMLElement>(null);
  // The button that closes a toast disappears with it, and would silently lose the focus.
  useEffect(() => {
    const isHeld = region.current?.matches(":hover, :focus-within") ?? false;
    if (toasts.length > 0 && !isHeld) store.resume();
  }, [toasts]);
  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      className="toast-place pointer-events-none fixed z-50 flex flex-col gap-2"
      onPointerEnter={store.pause}
      onPointerLeave={store.resume}
      onFocus={store.pause}
      onBlur={store.resume}
    >
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastRow({ toast }: { toast: Toast }) {
  const close = () => store.close(toast.id);
  return (
    <div className="pointer-events-auto flex items-start gap-2.5 rounded-lg bg-overlay py-2 pr-1.5 pl-3 text-sm shadow-overlay">
      {toast.tone === "error" ? (
        <span className="flex h-7 items-center">
          <StateRing status="failed" labelled />
        </span>
      ) : null}
      <div className="min-w-0 flex-1 py-1">
        <p className="break-words">{toast.title}</p>
        {toast.description ? <p className="text-xs break-words text-muted">{toast.description}</p> : null}
      </div>
      {toast.onUndo ? (
        <Button
          variant="ghost"
          onPress={() => {
            toast.onUndo?.();
            close();
          }}
        >
          Undo
        </Button>
      ) : null}
      <IconButton label="Close" onPress={close}>
        <X />
      </IconButton>
    </div>
  );
}
