"use client";
import { GitCompare } from "lucide-react";
import { AgentCrumbs } from "@/components/admin/agents/agent-crumbs";
import { AgentGroups } from "@/components/admin/agents/agent-groups";
import { AgentMenu } from "@/components/admin/agents/agent-menu";
import { PageHead } from "@/components/shell/page-head";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import type { SaveState } from "@/lib/client/agents/draft/draft-saver";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { useSecondWhile } from "@/lib/client/ui/use-now";

export interface EditorHeadProps {
  editor: AgentEditor;
  onDiscard: () => void;
  onCompare: () => void;
  /** Publishing without a dialog is under way. */
  isPublishing: boolean;
  onPublish: () => void;
}

/** The live version, the draft and where it is saved, and the actions on both. */
export function EditorHead({ editor, onDiscard, onCompare, isPublishing, onPublish }: EditorHeadProps) {
  const { agent, state, changes } = editor;
  const isChanged = state.text !== (agent.yaml ?? "");
  const obstacle = whyNot(editor, isChanged);
  return (
    <PageHead
      lead={<AgentCrumbs />}
      title={agent.name}
      facts={
        <>
          <AgentGroups agentId={agent.id} />
          <EditorSummary editor={editor} isChanged={isChanged} />
        </>
      }
      actions={
        <>
          {isChanged || state.stored.revision > 0 ? (
            <Button variant="ghost" onPress={onDiscard} className="max-md:hidden">
              Discard
            </Button>
          ) : null}
          {agent.version === null ? (
            <LinkButton href={`/admin/agents/${encodeURIComponent(agent.id)}`} className="max-md:hidden">
              Fewer settings
            </LinkButton>
          ) : isChanged ? (
            <Button onPress={onCompare} className="max-md:hidden">
              <GitCompare aria-hidden />
              {changes.length === 1 ? "1 change" : `${changes.length} changes`}
            </Button>
          ) : null}
          <AgentMenu
            agent={agent}
            yaml={state.text}
            onDiscard={isChanged && agent.version !== null ? onDiscard : undefined}
          />
          <span title={obstacle ?? undefined}>
            <Button
              variant="primary"
              isDisabled={obstacle !== null}
              isPending={isPublishing}
              aria-describedby={obstacle === null ? undefined : "publish-obstacle"}
              onPress={onPublish}
            >
              Publish v{(agent.version ?? 0) + 1}
            </Button>
            {obstacle === null ? null : (
              <span id="publish-obstacle" className="sr-only">
                {obstacle}
              </span>
            )}
          </span>
        </>
      }
    />
  );
}

/** Why the draft can't be published now. */
export function whyNot({ state, check }: AgentEditor, isChanged: boolean): string | null {
  if (!isChanged && state.stored.revision === 0) return "Nothing differs from the live version.";
  if (state.conflict !== null) return "Decide first whose values stay.";
  if (check.state === "invalid") return "Fix the problems first; the text names them with their lines.";
  return null;
}

function EditorSummary({ editor: { agent, state }, isChanged }: { editor: AgentEditor; isChanged: boolean }) {
  const { revision, updatedAt } = state.stored;
  return (
    <span className="tnum ml-2 flex min-w-0 items-center gap-2 overflow-hidden text-xs whitespace-nowrap text-muted max-md:hidden">
      <span className="flex items-center gap-1.5">
        {agent.version === null ? (
          <Tag>Draft: administrators only</Tag>
        ) : (
          <>
            <span aria-hidden="true" className="size-1.5 rounded-full bg-ok" />
            <span>
              v{agent.version} live · <Time at={agent.updatedAt} />
            </span>
          </>
        )}
      </span>
      {isChanged || revision > 0 ? (
        <>
          <span className="flex items-center gap-1.5 font-medium text-foreground">
            <span aria-hidden="true" className="size-1.5 rounded-full border-[1.5px] border-foreground" />
            {revision === 0 ? "Draft" : `Draft r${revision}`}
          </span>
          <SaveStatus save={state.save} savedAt={updatedAt} isWaiting={state.conflict !== null} />
        </>
      ) : null}
    </span>
  );
}

interface SaveStatusProps {
  save: SaveState;
  savedAt: string;
  isWaiting: boolean;
}

/** Whether and when the draft was saved. */
export function SaveStatus({ save, savedAt, isWaiting }: SaveStatusProps) {
  const now = useSecondWhile(save.kind === "saved");
  return (
    <span role="status" className={save.kind === "failed" ? "truncate text-limit-text" : undefined}>
      {isWaiting ? "waits for your choice" : saveStatusText(save, now === null ? null : now - Date.parse(savedAt))}
    </span>
  );
}

function saveStatusText(save: SaveState, agoMs: number | null): string {
  switch (save.kind) {
    case "saved":
      return agoMs === null ? "saved" : `saved ${agoText(agoMs)}`;
    case "waiting":
    case "saving":
      return "saving";
    case "failed":
      return `not saved, ${save.tries === 1 ? "1 try" : `${save.tries} tries`}; your text is safe in this browser`;
  }
}

/** In steps, so that it is not read aloud every second. */
function agoText(agoMs: number): string {
  const seconds = Math.max(0, Math.floor(agoMs / 1000));
  if (seconds < 5) return "now";
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10 || 5} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
