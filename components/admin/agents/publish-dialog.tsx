"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { EDGES } from "@/components/admin/agents/form/field-frame";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentQuery, agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import type { ConfigChange } from "@/lib/client/agents/config-text/config-values";
import { changeText, wideningOf } from "@/lib/client/agents/draft/change-labels";
import { agentDraftQuery, nameAgentVersion, publishAgentDraft } from "@/lib/client/agents/draft/draft-queries";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldLabel } from "@/lib/client/agents/form/field-labels";
import { openRunsQuery } from "@/lib/client/agents/list-agents";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { AgentVersionSummary, RawConfig } from "@/lib/schema/agents/agent-api";

export interface PublishDialogProps {
  editor: AgentEditor;
  isOpen: boolean;
  onClose: () => void;
  /** Shows a text that changed, word by word. */
  onShow: () => void;
}

/** Shows the changes for people, asks for a note for the list of versions, then publishes the new version. */
export function PublishDialog({ editor, isOpen, onClose, onShow }: PublishDialogProps) {
  const { agent, state, saver, changes } = editor;
  const queryClient = useQueryClient();
  const kept = useRemembered(`publish-note ${agent.id}`, z.string());
  const note = kept.value ?? "";
  const [moved, setMoved] = useState<readonly string[]>([]);
  const versions = useQuery({ ...agentVersionsQuery(agent.id), enabled: isOpen });
  const live = agent.version ?? 0;
  const number = live + 1;
  const openRuns = useQuery({ ...openRunsQuery, enabled: isOpen });
  const underWay = openRuns.data?.filter(
    (run) => run.agentId === agent.id && run.agentVersion === agent.version,
  ).length;
  const publish = useMutation({
    mutationFn: async () => {
      const { published } = await saver.replaceBy(async () => {
        if (!(await saver.flush())) throw new ApiError(NOT_SAVED, 0, "not_saved", null);
        const { revision } = saver.snapshot().stored;
        const text = note.trim();
        const number = await publishAgentDraft(agent.id, {
          ...(text === "" ? {} : { note: text }),
          revision,
          baseVersion: live,
        });
        await queryClient.invalidateQueries({ queryKey: agentQuery(agent.id).queryKey });
        // It is live, whether or not the draft that is left can be read now.
        const draft = await queryClient.fetchQuery(agentDraftQuery(agent.id)).catch(() => null);
        return { published: number, draft };
      });
      // The version is already published: a name that can't be moved is no reason to say otherwise.
      const moves = await Promise.allSettled(moved.map((name) => nameAgentVersion(agent.id, name, published)));
      const stayed = moved.filter((_, index) => moves[index]?.status === "rejected");
      return { published, stayed };
    },
    onSuccess: async ({ published, stayed }) => {
      onClose();
      kept.set("");
      setMoved([]);
      const names = stayed.map((name) => `@${name}`).join(", ");
      showToast({
        title: `v${published} is live`,
        description:
          names === "" ? "The next run uses it." : `${names} could not be moved; move it in the list of versions.`,
      });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    // Another person was faster: the comparison's base is refetched, so that the text can still be published.
    onError: () => queryClient.invalidateQueries({ queryKey: agentQuery(agent.id).queryKey }),
  });
  const close = () => {
    publish.reset();
    onClose();
  };
  const { revision } = state.stored;
  return (
    <FormDialog
      title={`Publish v${number} of ${agent.id}`}
      isOpen={isOpen}
      submitLabel={`Publish v${number}`}
      hasSubmitKeys
      isPending={publish.isPending}
      error={publish.error}
      onSubmit={() => publish.mutate()}
      onClose={close}
      after={
        <p className="mt-4 text-xs text-muted">
          New runs use v{number} at once. {underWayText(underWay, live)}
        </p>
      }
    >
      <section aria-labelledby="publish-changes">
        <h3 id="publish-changes" className="mb-1 text-xs font-medium text-muted">
          What changes for people, from v{live}
          {revision > 0 ? ` to draft r${revision}` : ""}
        </h3>
        <ChangeList changes={changes} was={agent.config ?? {}} onShow={onShow} />
      </section>
      <TextField
        label="Note, seen in the list of versions and in the audit log"
        value={note}
        onChange={kept.set}
        rows={2}
        maxLength={500}
        autoFocus
      />
      <NameList versions={versions.data ?? []} number={number} moved={moved} onMoved={setMoved} />
    </FormDialog>
  );
}

interface NameListProps {
  versions: readonly AgentVersionSummary[];
  number: number;
  moved: readonly string[];
  onMoved: (names: readonly string[]) => void;
}

/** The versions' names: each stays where it is unless ticked. */
function NameList({ versions, number, moved, onMoved }: NameListProps) {
  const names = versions.flatMap(({ number: version, aliases }) => aliases.map((name) => ({ name, version })));
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-muted">Names to move to v{number}</legend>
      {names.map(({ name, version }) => {
        const isMoved = moved.includes(name);
        return (
          <label key={name} className="flex h-7 items-center gap-2 text-sm touch-row">
            <input
              type="checkbox"
              checked={isMoved}
              onChange={() => onMoved(isMoved ? moved.filter((other) => other !== name) : [...moved, name])}
              className="size-3.5 accent-(--accent)"
            />
            <span className="font-mono text-xs">@{name}</span>
            <span className="text-xs text-muted">{isMoved ? `from v${version}` : `stays on v${version}`}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** `count` is undefined while unknown. */
function underWayText(count: number | undefined, version: number): string {
  if (count === undefined) return `Runs that are under way finish on v${version}.`;
  if (count === 0) return "No run is under way.";
  return count === 1
    ? `1 run that is under way finishes on v${version}.`
    : `${count} runs that are under way finish on v${version}.`;
}

const NOT_SAVED = "The draft could not be saved, so there is nothing to publish yet. Try again.";

interface ChangeListProps {
  changes: readonly ConfigChange[];
  was: RawConfig;
  onShow: () => void;
}

function ChangeList({ changes, was, onShow }: ChangeListProps) {
  if (changes.length === 0) {
    return <p className="rounded-lg border border-border px-3 py-2 text-sm text-muted">Only comments and order.</p>;
  }
  return (
    <ul className="max-h-64 overflow-y-auto rounded-lg border border-border">
      {changes.map((change) => {
        const widening = wideningOf(change, was);
        return (
          <li
            key={change.path.join(".")}
            className={classNames(
              "relative flex min-h-9 items-center gap-3 max-sm:flex-wrap max-sm:gap-y-0.5 border-b border-separator py-1.5 pr-3 pl-3 text-sm last:border-b-0 before:absolute before:inset-y-0 before:left-0 before:w-[3px]",
              EDGES[change.before === undefined ? "new" : "changed"],
            )}
          >
            <span className="w-32 shrink-0 font-medium break-words">{fieldLabel(change.path)}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted" title={changeText(change)}>
              {changeText(change)}
            </span>
            {widening === null ? null : (
              <span className="shrink-0 text-xs text-signal-text max-sm:w-full">{widening}</span>
            )}
            {change.path[0] === "system_prompt" ? (
              <Button variant="ghost" onPress={onShow}>
                Show
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
