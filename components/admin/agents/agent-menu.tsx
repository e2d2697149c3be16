"use client";
import {
  Copy,
  Download,
  Ellipsis,
  MessageSquare,
  Route,
  ScanText,
  ShieldQuestionMark,
  Trash2,
  Undo2,
} from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { useDiscardAgent } from "@/lib/client/agents/draft/use-discard-agent";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { DuplicateDialog } from "./duplicate-dialog";
import { TryCallDialog } from "./try-call-dialog";

export interface AgentMenuProps {
  agent: AgentDetail;
  /** The text in the editor. */
  yaml: string;
  /** Only if there is something to discard. */
  onDiscard?: () => void;
}

/** The actions on an agent besides editing it. */
export function AgentMenu({ agent, yaml, onDiscard }: AgentMenuProps) {
  const [open, setOpen] = useState<"none" | "duplicate" | "delete" | "try">("none");
  const remove = useDiscardAgent(agent, `Deleted ${agent.name}`);
  const isPublished = agent.version !== null;
  const close = () => setOpen("none");
  return (
    <>
      <Menu
        label="Agent"
        trigger={
          <IconButton label="More actions">
            <Ellipsis />
          </IconButton>
        }
        actions={[
          ...(isPublished
            ? [{ id: "chat", label: "Start a chat", icon: <MessageSquare />, href: `/?agent=${agent.id}` }]
            : []),
          { id: "prompt", label: "Prompt preview", icon: <ScanText />, href: `/admin/agents/${agent.id}/prompt` },
          { id: "flow", label: "Flow", icon: <Route />, href: `/admin/agents/${agent.id}/flow` },
          { id: "try", label: "Try a call", icon: <ShieldQuestionMark />, onAction: () => setOpen("try") },
          ...(isPublished
            ? [{ id: "duplicate", label: "Duplicate", icon: <Copy />, onAction: () => setOpen("duplicate") }]
            : []),
          {
            id: "export",
            label: "Export YAML",
            icon: <Download />,
            onAction: () => saveText(`${agent.id}.yaml`, agent.yaml ?? yaml, "application/yaml"),
          },
          ...(onDiscard === undefined
            ? []
            : [{ id: "discard", label: "Discard the draft", icon: <Undo2 />, onAction: onDiscard }]),
          {
            id: "delete",
            label: "Delete",
            icon: <Trash2 />,
            isDanger: true,
            startsGroup: true,
            onAction: () => setOpen("delete"),
          },
        ]}
      />
      {open === "try" ? <TryCallDialog agent={agent} yaml={yaml} onClose={close} /> : null}
      {open === "duplicate" ? <DuplicateDialog agentId={agent.id} onClose={close} /> : null}
      <ConfirmDialog
        title={`Delete ${agent.name}?`}
        confirmLabel="Delete agent"
        isOpen={open === "delete"}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        No one will be able to start new runs with it. Its threads and traces stay readable. Creating an agent with the
        id {agent.id} again continues its version numbers.
      </ConfirmDialog>
    </>
  );
}

/** Saves text that the page already has as a file. */
function saveText(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
