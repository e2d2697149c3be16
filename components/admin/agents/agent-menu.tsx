"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
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
import { useRouter } from "next/navigation";
import { useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { agentQuery, agentVersionsQuery, deleteAgent, restoreAgent } from "@/lib/client/agents/agent-queries";
import { agentDraftQuery } from "@/lib/client/agents/draft/draft-queries";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
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
  const router = useRouter();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<"none" | "duplicate" | "delete" | "try">("none");
  const remove = useMutation({
    mutationFn: () => deleteAgent(agent.id),
    onSuccess: async () => {
      router.push("/admin/agents");
      // The page remains for a moment and must not request what is gone.
      queryClient.removeQueries({ queryKey: agentQuery(agent.id).queryKey });
      queryClient.removeQueries({ queryKey: agentDraftQuery(agent.id).queryKey });
      queryClient.removeQueries({ queryKey: agentVersionsQuery(agent.id).queryKey });
      showToast({ title: `Deleted ${agent.name}`, onUndo: () => undo.mutate() });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
  });
  const undo = useMutation({
    mutationFn: () => restoreAgent(agent.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: AGENTS_KEY }),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
  });
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
          { id: "chat", label: "Start a chat", icon: <MessageSquare />, href: `/?agent=${agent.id}` },
          { id: "prompt", label: "What the model gets", icon: <ScanText />, href: `/admin/agents/${agent.id}/prompt` },
          { id: "flow", label: "Flow", icon: <Route />, href: `/admin/agents/${agent.id}/flow` },
          { id: "try", label: "Try a call", icon: <ShieldQuestionMark />, onAction: () => setOpen("try") },
          { id: "duplicate", label: "Duplicate", icon: <Copy />, onAction: () => setOpen("duplicate") },
          {
            id: "export",
            label: "Export YAML",
            icon: <Download />,
            onAction: () => saveText(`${agent.id}.yaml`, agent.yaml ?? "", "application/yaml"),
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
      <DuplicateDialog agentId={agent.id} isOpen={open === "duplicate"} onClose={close} />
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
