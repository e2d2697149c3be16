"use client";
import { PanelLeft } from "lucide-react";
import { useState } from "react";
import { Sheet } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { ThreadListView } from "./thread-list-view";

/** The thread list where it has no column of its own. */
export function ThreadsDrawer() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Threads" className="-ml-1 lg:hidden" onPress={() => setOpen(true)}>
        <PanelLeft />
      </IconButton>
      <Sheet label="Threads" side="left" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ThreadListView onNavigate={() => setOpen(false)} />
      </Sheet>
    </>
  );
}
