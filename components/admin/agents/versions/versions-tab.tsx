"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, ArrowRight } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Kbd } from "@/components/ui/kbd";
import { QueryState } from "@/components/ui/states/query-state";
import { agentVersionQuery, agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import { agentComparisonQuery, restoreAgentVersion, saveAgentDraft } from "@/lib/client/agents/draft/draft-queries";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import type { useEditorPlace } from "@/lib/client/agents/draft/use-editor-place";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { AgentVersionSummary } from "@/lib/schema/agents/agent-api";
import { CompareView } from "./compare-view";
import { NameVersionDialog } from "./name-version-dialog";
import { type ComparedConfig, type Side, SideBadge, type Sides, sideName } from "./side";
import { VersionRail } from "./version-rail";

export interface VersionsTabProps {
  editor: AgentEditor;
  place: ReturnType<typeof useEditorPlace>;
}

/** Every version and the draft; any two of them side by side, field by field and word by word. */
export function VersionsTab({ editor, place }: VersionsTabProps) {
  const versions = useQuery(agentVersionsQuery(editor.agent.id));
  return (
    <QueryState what="versions" query={versions}>
      {(found) => <Versions editor={editor} place={place} versions={found} />}
    </QueryState>
  );
}

function Versions({ editor, place, versions }: VersionsTabProps & { versions: readonly AgentVersionSummary[] }) {
  const { agent, state } = editor;
  const hasDraft = state.text !== (agent.yaml ?? "");
  const sides = sidesOf(place, hasDraft, versions);
  const [isNaming, setNaming] = useState(false);
  const from = useSide(sides.from, editor);
  const to = useSide(sides.to, editor);
  const comparison = useQuery(agentComparisonQuery(agent.id, sides, state.stored.revision));
  const swap = () => place.compare({ from: sides.to, to: sides.from });
  useShortcuts({ s: swap });
  const options = [
    ...(hasDraft ? [{ id: "draft", name: sideName("draft", editor) }] : []),
    ...versions.map(({ number, note }) => ({ id: String(number), name: `v${number}`, description: note ?? undefined })),
  ];
  const restore = useRestore(editor);
  const restorable = sides.from === "draft" ? sides.to : sides.from;
  const named = versions.find(({ number }) => String(number) === restorable);
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <VersionRail editor={editor} versions={versions} sides={sides} onSide={place.compare} hasDraft={hasDraft} />
      <section aria-label="Compare" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex h-9 shrink-0 items-center gap-1.5 overflow-x-auto border-b border-border pr-3 pl-4 text-xs whitespace-nowrap">
          <SideBadge letter="A" />
          <Select
            look="bare"
            label="From"
            value={sides.from}
            options={options}
            onChange={(id) => place.compare({ from: id })}
          />
          <ArrowRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
          <SideBadge letter="B" />
          <Select
            look="bare"
            label="To"
            value={sides.to}
            options={options}
            onChange={(id) => place.compare({ to: id })}
          />
          <IconButton label="Swap" shortcut="s" onPress={swap}>
            <ArrowLeftRight />
          </IconButton>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <QueryState what="comparison" query={comparison}>
            {({ changes }) => <CompareView {...{ editor, sides, changes }} from={from.data} to={to.data} />}
          </QueryState>
        </div>
        <footer className="flex h-7 shrink-0 items-center gap-3 border-t border-border bg-background px-4 text-2xs text-muted">
          <span className="flex items-center gap-1 max-md:hidden">
            <Kbd>j</Kbd> <Kbd>k</Kbd> next and previous change
          </span>
          <span className="flex items-center gap-1 max-md:hidden">
            <Kbd>s</Kbd> swap
          </span>
          {restorable === "draft" ? null : (
            <Button variant="ghost" className="ml-auto h-6!" onPress={() => setNaming(true)}>
              Name v{restorable}
            </Button>
          )}
          {restorable === "draft" ? null : (
            <Button
              variant="ghost"
              className="h-6! text-link!"
              isPending={restore.isPending}
              onPress={() => restore.mutate(Number(restorable))}
            >
              Restore v{restorable} into the draft
            </Button>
          )}
        </footer>
      </section>
      {isNaming && named ? (
        <NameVersionDialog agentId={agent.id} version={named} onClose={() => setNaming(false)} />
      ) : null}
    </div>
  );
}

/** Makes a version the draft; published versions are unchanged. The toast offers to undo it. */
function useRestore({ agent, saver }: AgentEditor) {
  const undo = useAction({
    mutationFn: (yaml: string) =>
      saver.replaceBy(async () => {
        const { revision } = saver.snapshot().stored;
        return { draft: await saveAgentDraft(agent.id, { yaml, revision }) };
      }),
  });
  return useAction({
    mutationFn: (number: number) =>
      saver.replaceBy(async () => {
        await saver.flush();
        const { text, stored } = saver.snapshot();
        return { draft: await restoreAgentVersion(agent.id, number, stored.revision), text, stored };
      }),
    onSuccess: ({ text, stored }, number) => {
      showToast({
        title: `v${number} is in the draft`,
        ...(stored.revision === 0 ? {} : { description: `Draft r${stored.revision} is kept for 30 days.` }),
        onUndo: () => undo.mutate(text),
      });
    },
  });
}

/** The sides in the URL; by default the live version and the draft, or the previous version and the live one. */
function sidesOf(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  hasDraft: boolean,
  versions: readonly AgentVersionSummary[],
): Sides {
  const known = new Set([...versions.map(({ number }) => String(number)), ...(hasDraft ? ["draft"] : [])]);
  const live = String(versions.find(({ current }) => current)?.number ?? versions[0]?.number ?? 1);
  const previous = String(versions.find(({ number }) => number < Number(live))?.number ?? live);
  const fallback = hasDraft ? { from: live, to: "draft" } : { from: previous, to: live };
  return {
    from: from !== null && known.has(from) ? from : fallback.from,
    to: to !== null && known.has(to) ? to : fallback.to,
  };
}

function useSide(side: Side, { agent, state, config }: AgentEditor) {
  const version = useQuery({ ...agentVersionQuery(agent.id, Number(side)), enabled: side !== "draft" });
  if (side !== "draft") return version;
  const data: ComparedConfig = { config, yaml: state.text };
  return { data, error: null, refetch: () => undefined };
}
