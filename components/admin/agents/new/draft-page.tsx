"use client";
import { SlidersHorizontal } from "lucide-react";
import { AgentCrumbs } from "@/components/admin/agents/agent-crumbs";
import { AgentGroups } from "@/components/admin/agents/agent-groups";
import { SaveStatus } from "@/components/admin/agents/editor/editor-head";
import { ConflictStrips } from "@/components/admin/agents/editor/editor-strips";
import { TestChat } from "@/components/admin/agents/test-chat/test-chat";
import { PageHead } from "@/components/shell/page-head";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Tag } from "@/components/ui/tag";
import { setConfig } from "@/lib/client/agents/config-text/set-config";
import { type AgentEditor, useAgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { useDiscardAgent } from "@/lib/client/agents/draft/use-discard-agent";
import { useFirstPublish } from "@/lib/client/agents/draft/use-first-publish";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import type { AgentDraft } from "@/lib/schema/agents/agent-draft";
import { FourFields } from "./four-fields";

/** An agent that is not published yet, in four fields, with its test chat; publishing is the last step. */
export function DraftPage({ agent, draft }: { agent: AgentDetail; draft: AgentDraft }) {
  const editor = useAgentEditor(agent, draft);
  const { config, state, saver, wait } = editor;
  const name = typeof config.name === "string" && config.name.trim() !== "" ? config.name : agent.id;
  const discard = useDiscardAgent(agent, `Discarded ${name}`);
  return (
    <>
      <PageHead
        lead={<AgentCrumbs />}
        title={name}
        facts={
          <>
            <DraftTag />
            <AgentGroups agentId={agent.id} />
            <span className="text-xs text-muted max-md:hidden">
              <SaveStatus save={state.save} savedAt={state.stored.updatedAt} isWaiting={state.conflict !== null} />
            </span>
          </>
        }
        actions={
          <>
            <Button variant="ghost" onPress={() => discard.mutate()} isPending={discard.isPending}>
              Discard
            </Button>
            <LinkButton href={`/admin/agents/${encodeURIComponent(agent.id)}?all=true`}>
              <SlidersHorizontal aria-hidden />
              <span className="max-sm:sr-only">All settings</span>
            </LinkButton>
          </>
        }
      />
      <ConflictStrips editor={editor} />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <section aria-label="Form" className="flex min-w-0 flex-col lg:min-h-0 lg:flex-1">
          <div className="lg:min-h-0 lg:flex-1 lg:overflow-y-auto">
            <fieldset
              aria-label="Basics"
              inert={wait !== null}
              className="min-w-0 space-y-5 px-5 py-4 max-sm:px-4 lg:max-w-[668px]"
            >
              <FourFields
                config={config}
                onConfig={(next) => saver.setText(setConfig(saver.snapshot().text, next))}
                idLine={
                  <p className="mt-1 text-xs text-muted">
                    Id: <span className="font-mono">{agent.id}</span>
                  </p>
                }
              />
            </fieldset>
          </div>
          <PublishBar editor={editor} name={name} />
        </section>
        <TestChat editor={editor} fromRunId={null} onTaken={() => undefined} isWide />
      </div>
    </>
  );
}

export function DraftTag() {
  return <Tag className="max-sm:hidden">Draft: administrators only</Tag>;
}

function PublishBar({ editor, name }: { editor: AgentEditor; name: string }) {
  const publish = useFirstPublish(editor);
  const { check, state, wait } = editor;
  const obstacle =
    state.conflict !== null
      ? "Choose first whose values stay."
      : check.state === "invalid" || wait !== null
        ? (check.problems.find(({ severity }) => severity === "error")?.message ?? "All settings name the problem.")
        : null;
  return (
    <footer className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-border px-5 py-3 max-sm:px-4">
      <p id="publish-note" className="min-w-0 flex-1 text-xs text-muted">
        {obstacle ?? `Publishing makes v1 and shows ${name} to everybody who may use agents.`}
      </p>
      <Button
        variant="primary"
        size="md"
        aria-describedby="publish-note"
        isDisabled={obstacle !== null}
        isPending={publish.isPending || publish.isSuccess}
        onPress={() => publish.mutate()}
      >
        Publish v1
      </Button>
    </footer>
  );
}
