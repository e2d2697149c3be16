"use client";
import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { ChangedRing } from "@/components/admin/agents/form/field-frame";
import { PublishDialog } from "@/components/admin/agents/publish-dialog";
import { SandboxNotice } from "@/components/admin/agents/sandbox-notice";
import { UsageTab } from "@/components/admin/agents/usage/usage-tab";
import { VersionsTab } from "@/components/admin/agents/versions/versions-tab";
import type { PageKey } from "@/components/shell/keys-dialog";
import { usePageKeys } from "@/components/shell/shell-context";
import { Segments } from "@/components/ui/controls/segments";
import { Switch } from "@/components/ui/controls/switch";
import { agentQuery, agentVersionQuery } from "@/lib/client/agents/agent-queries";
import { mergeDrafts } from "@/lib/client/agents/config-text/merge-drafts";
import { discardAgentDraft, saveAgentDraft } from "@/lib/client/agents/draft/draft-queries";
import { type AgentEditor as Editor, useAgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { useDiscardAgent } from "@/lib/client/agents/draft/use-discard-agent";
import { useEditorKeys } from "@/lib/client/agents/draft/use-editor-keys";
import { useEditorPlace } from "@/lib/client/agents/draft/use-editor-place";
import { useFirstPublish } from "@/lib/client/agents/draft/use-first-publish";
import { HOOKS } from "@/lib/client/agents/form/agent-tabs";
import { fieldAt } from "@/lib/client/agents/form/field-labels";
import { EDITOR_TABS, FORM_TABS, findEditorPart } from "@/lib/client/agents/form/form-tabs";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import type { AgentDraft } from "@/lib/schema/agents/agent-draft";
import { EditorHead, whyNot } from "./editor-head";
import { EditorStrips } from "./editor-strips";
import { EditorWorkbench } from "./editor-workbench";

/** Loads when it is opened: editing a prompt doesn't need it. */
const HooksTab = dynamic(async () => (await loadWithRetry(() => import("../hooks/hooks-tab"))).HooksTab, {
  ssr: false,
});

const KEYS: readonly PageKey[] = [
  { keys: "Ctrl S", does: "Save now" },
  { keys: "Ctrl Shift P", does: "Publish" },
  { keys: "F6", does: "Form, YAML, test chat" },
];

/** An agent's draft as form and text, tried out beside it, published, compared with earlier versions. */
export function AgentEditor({ agent, draft }: { agent: AgentDetail; draft: AgentDraft }) {
  const editor = useAgentEditor(agent, draft);
  const place = useEditorPlace();
  const [isPublishing, setPublishing] = useState(false);
  const discard = useDiscard(editor);
  const catchUp = useCatchUp(editor);
  const isChanged = editor.state.text !== (agent.yaml ?? "");
  const isUnpublished = agent.version === null;
  const compare = () => place.compare({ from: String(agent.version), to: "draft" });
  const discardAgent = useDiscardAgent(agent, `Discarded ${agent.name}`);
  const firstPublish = useFirstPublish(editor);
  const publish = () => (isUnpublished ? firstPublish.mutate() : setPublishing(true));
  const [keptYaml, keepYaml] = useKeptNumber("editor-yaml", 0);
  const isYamlShown = keptYaml === 1 || editor.wait !== null;
  // YAML that the form can't show is fixed in the text editor, which then stays open.
  useEffect(() => {
    if (editor.wait !== null) keepYaml(1);
  }, [editor.wait, keepYaml]);
  const showYaml = (isShown: boolean) => keepYaml(isShown ? 1 : 0);
  usePageKeys(KEYS);
  useEditorKeys({
    onSave: editor.saver.saveNow,
    onPublish: () => (whyNot(editor, isChanged) === null ? publish() : undefined),
  });
  const { tab, part } = findEditorPart(place.tab);
  const fields = FORM_TABS.find(({ id }) => id === part) ?? null;
  const changed = new Set(editor.changes.map(({ path }) => (path[0] === "hooks" ? "hooks" : fieldAt(path)?.tab.id)));
  return (
    <>
      <EditorHead
        editor={editor}
        onDiscard={() => (isUnpublished ? discardAgent.mutate() : discard.mutate())}
        onCompare={compare}
        isPublishing={firstPublish.isPending}
        onPublish={publish}
      />
      <Tabs
        selectedKey={tab.id}
        onSelectionChange={(id) => place.openTab(String(id))}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="flex shrink-0 items-center border-b border-border pr-4 max-sm:pr-2">
          <TabList
            aria-label="Agent"
            className="flex min-w-0 flex-1 overflow-x-auto px-2.5 [scrollbar-width:none] max-sm:px-1.5"
          >
            {EDITOR_TABS.map(({ id, label, parts }) => (
              <Tab
                key={id}
                id={id}
                className="-mb-px flex h-9 shrink-0 cursor-default items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm font-medium text-muted outline-none touch-row max-sm:px-2 hover:text-foreground data-[focus-visible]:bg-default data-[selected]:border-foreground data-[selected]:text-foreground"
              >
                {label}
                {parts.some((one) => changed.has(one.id)) ? <ChangedRing /> : null}
              </Tab>
            ))}
          </TabList>
          {fields === null || part === HOOKS.id ? null : <YamlSwitch isOn={isYamlShown} onChange={showYaml} />}
        </div>
        <EditorStrips editor={editor} onCatchUp={() => catchUp.mutate()} isCatchingUp={catchUp.isPending} />
        <div className="px-5 py-2 empty:hidden">
          <SandboxNotice agent={agent} />
        </div>
        <TabPanel id={tab.id} className="flex min-h-0 flex-1 flex-col outline-none">
          {tab.parts.length > 1 ? (
            <div className="shrink-0 overflow-x-auto px-5 pt-3 pb-1">
              <Segments
                label={tab.label}
                options={tab.parts.map(({ id, label }) => ({ id, name: label }))}
                value={part}
                onChange={place.openTab}
              />
            </div>
          ) : null}
          {part === "versions" ? (
            <VersionsTab editor={editor} place={place} />
          ) : part === "usage" ? (
            <UsageTab agentId={agent.id} />
          ) : part === HOOKS.id || fields === null ? (
            <HooksTab editor={editor} />
          ) : (
            <EditorWorkbench
              editor={editor}
              tab={fields}
              isYamlShown={isYamlShown}
              fromRunId={place.fromRunId}
              onTab={place.openTab}
              onRunTaken={place.forgetRun}
            />
          )}
        </TabPanel>
      </Tabs>
      <PublishDialog
        editor={editor}
        isOpen={isPublishing}
        onClose={() => setPublishing(false)}
        onShow={() => {
          setPublishing(false);
          compare();
        }}
      />
    </>
  );
}

function YamlSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <span className="flex shrink-0 items-center gap-2 text-xs text-muted">
      <span className="max-sm:hidden" aria-hidden>
        YAML
      </span>
      <Switch label="YAML" isOn={isOn} onChange={onChange} />
    </span>
  );
}

/** Reverts to the live version at once; the toast undoes it. */
function useDiscard({ agent, saver }: Editor) {
  const undo = useAction({
    mutationFn: (yaml: string) =>
      saver.replaceBy(async () => {
        const { revision } = saver.snapshot().stored;
        return { draft: await saveAgentDraft(agent.id, { yaml, revision }) };
      }),
  });
  return useAction({
    mutationFn: () =>
      saver.replaceBy(async () => {
        const { text } = saver.snapshot();
        return { text, draft: await discardAgentDraft(agent.id) };
      }),
    onSuccess: ({ text }) => {
      showToast({ title: "Draft discarded", onUndo: () => undo.mutate(text) });
    },
  });
}

/** Merges what was published in the meantime into the draft; fields that both changed keep the draft's value. */
function useCatchUp({ agent, saver }: Editor) {
  const queryClient = useQueryClient();
  const catchUp = async () => {
    if (!(await saver.flush())) return { draft: null, kept: 0 };
    const { text, stored } = saver.snapshot();
    const base = await queryClient.fetchQuery(agentVersionQuery(agent.id, stored.baseVersion));
    const live = await queryClient.fetchQuery(agentQuery(agent.id));
    const merged = mergeDrafts({ base: base.yaml, mine: text, theirs: live.yaml ?? "" });
    const yaml = merged?.text ?? text;
    const draft = await saveAgentDraft(agent.id, { yaml, revision: stored.revision, baseVersion: live.version ?? 0 });
    return { draft, kept: merged?.conflicts.length ?? 0 };
  };
  return useAction({
    mutationFn: () => saver.replaceBy(catchUp),
    onSuccess: ({ draft, kept }) => {
      if (draft === null) return;
      const words = kept === 1 ? "1 field that both changed has" : `${kept} fields that both changed have`;
      showToast({
        title: `v${agent.version} is in the draft`,
        ...(kept === 0 ? {} : { description: `${words} the draft's value.` }),
      });
    },
  });
}
