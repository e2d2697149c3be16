"use client";
import { PanelLeft } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Sheet } from "@/components/ui/overlays/sheet";
import { ThreadListView } from "./thread-list-view";

/** The thread list if it has no column of its own. */
export function ThreadsDrawer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Threads"
        className="-ml-1 lg:hidden [[data-artifact]_&]:inline-flex"
        onPress={() => setOpen(true)}
      >
        <PanelLeft />
      </IconButton>
      <Sheet label="Threads" side="left" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ThreadListView onNavigate={() => setOpen(false)} />
      </Sheet>
    </>
  );
}
