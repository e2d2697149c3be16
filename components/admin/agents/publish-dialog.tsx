"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { EDGES } from "@/components/admin/agents/form/field-frame";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentQuery } from "@/lib/client/agents/agent-queries";
import type { ConfigChange } from "@/lib/client/agents/config-text/config-values";
import { changeWords, wideningOf } from "@/lib/client/agents/draft/change-words";
import { agentDraftQuery, publishAgentDraft } from "@/lib/client/agents/draft/draft-queries";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldWords } from "@/lib/client/agents/form/field-words";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import type { RawConfig } from "@/lib/schema/agents/agent-api";

export interface PublishDialogProps {
  editor: AgentEditor;
  isOpen: boolean;
  onClose: () => void;
  /** Shows a text that changed, word by word. */
  onShow: () => void;
}

/** What changes for people, a note for the list of versions, then the new version. */
export function PublishDialog({ editor, isOpen, onClose, onShow }: PublishDialogProps) {
  const { agent, state, saver, changes } = editor;
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const number = agent.version + 1;
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await saver.flush())) throw new ApiError(NOT_SAVED, 0, "not_saved", null);
      const { revision } = saver.snapshot().stored;
      const text = note.trim();
      return publishAgentDraft(agent.id, {
        ...(text === "" ? {} : { note: text }),
        ...{ revision, baseVersion: agent.version },
      });
    },
    onSuccess: async (published) => {
      onClose();
      setNote("");
      showToast({ title: `v${published} is live`, description: "The next run uses it." });
      await queryClient.invalidateQueries({ queryKey: agentQuery(agent.id).queryKey });
      saver.replace(await queryClient.fetchQuery(agentDraftQuery(agent.id)));
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    // Another person was faster: what is compared with is loaded again, so that the text can still be published.
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
      isValid={changes.length > 0 || state.text !== (agent.yaml ?? "")}
      isPending={publish.isPending}
      error={publish.error}
      onSubmit={() => publish.mutate()}
      onClose={close}
      after={
        <p className="mt-4 text-xs text-muted">
          New runs use v{number} at once. Runs that are under way finish on v{agent.version}.
        </p>
      }
    >
      <section aria-labelledby="publish-changes">
        <h3 id="publish-changes" className="mb-1 text-xs font-medium text-muted">
          What changes for people, from v{agent.version}
          {revision > 0 ? ` to draft r${revision}` : ""}
        </h3>
        <ChangeList changes={changes} was={agent.config ?? {}} onShow={onShow} />
      </section>
      <TextField
        label="Note, seen in the list of versions and in the audit log"
        value={note}
        onChange={setNote}
        rows={2}
        maxLength={500}
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || publish.isPending) return;
          event.preventDefault();
          publish.mutate();
        }}
      />
    </FormDialog>
  );
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
              "relative flex min-h-9 items-center gap-3 border-b border-separator py-1.5 pr-3 pl-3 text-sm last:border-b-0 before:absolute before:inset-y-0 before:left-0 before:w-[3px]",
              EDGES[change.before === undefined ? "new" : "changed"],
            )}
          >
            <span className="w-32 shrink-0 font-medium break-words">{fieldWords(change.path)}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted" title={changeWords(change)}>
              {changeWords(change)}
            </span>
            {widening === null ? null : <span className="shrink-0 text-xs text-signal-text">{widening}</span>}
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
