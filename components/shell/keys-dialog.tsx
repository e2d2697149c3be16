"use client";
import { Kbd } from "@/components/ui/kbd";
import { Dialog } from "@/components/ui/overlays/dialog";

export interface PageKey {
  /** One key or a chord: "Esc", "⌘K", "Shift Enter". */
  keys: string;
  does: string;
}

const EVERYWHERE: readonly PageKey[] = [
  { keys: "⌘K", does: "Search and commands" },
  { keys: "?", does: "This list" },
];

export interface KeysDialogProps {
  pageKeys: readonly PageKey[];
  isOpen: boolean;
  onClose: () => void;
}

export function KeysDialog({ pageKeys, isOpen, onClose }: KeysDialogProps) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} size="sm">
      <dl
        // A long list is scrolled by keys.
        tabIndex={0}
        className="divide-y divide-separator text-sm"
      >
        {[...pageKeys, ...EVERYWHERE].map(({ keys, does }) => (
          <div key={keys} className="flex h-8 items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex gap-1">
              {keys.split(" ").map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
