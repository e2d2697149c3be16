"use client";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useMemo, useState } from "react";
import { type ActiveField, AgentForm } from "@/components/admin/agents/form/agent-form";
import { YamlPane } from "@/components/admin/agents/yaml/yaml-pane";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { linesOf, pathAt } from "@/lib/client/agents/config-text/config-text";
import type { ConfigChange } from "@/lib/client/agents/config-text/config-values";
import { markLines } from "@/lib/client/agents/config-text/merge-drafts";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldAt, fieldLabel } from "@/lib/client/agents/form/field-labels";
import type { FormTab } from "@/lib/client/agents/form/form-field";
import { fieldsOf } from "@/lib/client/agents/form/form-tabs";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";

export interface EditorWorkbenchProps {
  editor: AgentEditor;
  tab: FormTab;
  isYamlShown: boolean;
  /** A run whose input the test chat should use. */
  fromRunId: string | null;
  onTab: (id: string) => void;
  onRunTaken: () => void;
}

/** Loads after the form and the text: the transcript has many dependencies that they don't need. */
const TestChat = dynamic(async () => (await loadWithRetry(() => import("../test-chat/test-chat"))).TestChat, {
  ssr: false,
  loading: () => <div className="w-[420px] shrink-0 border-l border-border max-lg:hidden" />,
});

/** Only one tab draws it. */
const ContextPicture = dynamic(
  async () => (await loadWithRetry(() => import("../context/context-picture"))).ContextPicture,
  { ssr: false, loading: () => <SkeletonList label="Loading context" rows={4} className="p-4" /> },
);

/** The form, and the text beside it if wanted: the focused field and its lines have the same tint. */
export function EditorWorkbench({ editor, tab, isYamlShown, fromRunId, onTab, onRunTaken }: EditorWorkbenchProps) {
  const { agent, read, check, state } = editor;
  const [active, setActive] = useState<ActiveField | null>(null);
  const shown = active === null ? null : fieldAt(active.path);
  const live = agent.version === null ? state.text : (agent.yaml ?? "");
  const marks = useMemo(() => markLines(live, state.text), [live, state.text]);
  const look = useMemo(
    () => ({
      active: shown === null ? null : linesOf(read, shown.field.path),
      here: fieldsOf(tab).flatMap(({ path }) => linesOf(read, path) ?? []),
      marks,
    }),
    [read, shown, tab, marks],
  );
  const onCaret = (offset: number) => {
    const path = pathAt(read, offset);
    const found = fieldAt(path);
    setActive(found === null ? null : { path, from: "yaml" });
    if (found !== null && found.tab !== tab) onTab(found.tab.id);
  };
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <section
        aria-label="Form"
        data-region="form"
        className={classNames(
          "flex flex-col border-r border-border max-lg:w-auto max-lg:border-r-0 max-lg:border-b",
          isYamlShown ? "w-[436px] shrink-0" : "min-w-0 flex-1",
        )}
      >
        <div className="min-h-0 flex-1 overflow-y-auto *:max-w-[860px]">
          <TabLinks agentId={agent.id} tabId={tab.id} />
          {tab.id === "context" ? <ContextPicture agentId={agent.id} config={editor.config} /> : null}
          <AgentForm editor={editor} tab={tab} active={active} onActive={(path) => setActive({ path, from: "form" })} />
        </div>
        <FormFoot editor={editor} onTab={onTab} onActive={setActive} />
      </section>
      {isYamlShown ? (
        <div data-region="yaml" className="flex min-h-0 min-w-0 flex-1 flex-col max-lg:min-h-[420px]">
          <YamlPane
            fileName={`${agent.id}.yaml`}
            draft={check}
            look={look}
            onCaret={onCaret}
            fieldName={shown === null ? undefined : shown.field.label}
          />
        </div>
      ) : null}
      <TestChat editor={editor} fromRunId={fromRunId} onTaken={onRunTaken} isWide={!isYamlShown} />
    </div>
  );
}

interface TabLink {
  readonly page: string;
  readonly words: string;
}

/** Pages that show the effect of a tab. */
const LINKS: Readonly<Record<string, readonly TabLink[]>> = {
  basics: [
    { page: "prompt", words: "Prompt preview" },
    { page: "flow", words: "How a message is handled" },
  ],
  knowledge: [{ page: "memory", words: "What it remembers" }],
};

function TabLinks({ agentId, tabId }: { agentId: string; tabId: string }) {
  const links = LINKS[tabId];
  if (links === undefined) return null;
  return (
    <p className="flex gap-4 px-5 pt-3">
      {links.map(({ page, words }) => (
        <Link
          key={page}
          href={`/admin/agents/${encodeURIComponent(agentId)}/${page}`}
          prefetch={false}
          className="text-xs text-link hover:underline touch-target"
        >
          {words}
        </Link>
      ))}
    </p>
  );
}

interface FormFootProps {
  editor: AgentEditor;
  onTab: (id: string) => void;
  onActive: (active: ActiveField) => void;
}

/** Why the form is paused, or what differs from the live version. */
function FormFoot({ editor: { agent, wait, changes }, onTab, onActive }: FormFootProps) {
  const open = ({ path }: ConfigChange) => {
    const found = fieldAt(path);
    if (found !== null) onTab(found.tab.id);
    onActive({ path, from: "yaml" });
  };
  return (
    <footer className="flex h-7 shrink-0 items-center gap-3 overflow-x-auto border-t border-border bg-background px-4 text-2xs whitespace-nowrap text-muted [scrollbar-width:none]">
      {wait !== null ? (
        <span role="status" className="text-limit-text">
          The form is paused: {wait.line === null ? "" : `line ${wait.line}, `}
          {wait.message.charAt(0).toLowerCase()}
          {wait.message.slice(1)}
        </span>
      ) : changes.length === 0 ? (
        <span>{agent.version === null ? "No version is published yet." : `The same as v${agent.version}`}</span>
      ) : (
        <>
          <span>Changed since v{agent.version}:</span>
          {changes.map((change) => (
            <button
              key={change.path.join(".")}
              type="button"
              className="text-link hover:underline touch-target"
              onClick={() => open(change)}
            >
              {fieldLabel(change.path)}
            </button>
          ))}
        </>
      )}
    </footer>
  );
}
