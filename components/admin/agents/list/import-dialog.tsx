"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { AriaTriggers } from "@/components/ui/overlays/aria-triggers";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { Tag } from "@/components/ui/tag";
import { importAgents } from "@/lib/client/agents/list-agents";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { ImportAgentsReply } from "@/lib/schema/agents/agent-api";

const KeptImport = z.object({ text: z.string(), file: z.string() });
const NOTHING = { text: "", file: "agents.yaml" };

/** A text or a file: first what it would do, with every problem, then the import. A reload keeps the text. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const kept = useRemembered("import-agents", KeptImport);
  const { text, file } = kept.value ?? NOTHING;
  const close = () => {
    kept.forget();
    onClose();
  };
  const look = useMutation({
    mutationFn: (input: { text: string; file: string }) => importAgents(input.text, input.file, true),
  });
  const bring = useMutation({
    mutationFn: () => importAgents(text, file, false),
    onSuccess: async ({ agents }) => {
      close();
      const changed = agents.filter(({ outcome }) => outcome !== "unchanged").length;
      showToast({ title: changed === 1 ? "1 agent imported" : `${changed} agents imported` });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
  });
  const isPlanned = look.data !== undefined && look.variables?.text === text && look.data.problems.length === 0;
  const change = (next: string, name = file) => {
    kept.set({ text: next, file: name });
    look.reset();
    bring.reset();
  };
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const content = await chosen.text();
    change(content, chosen.name);
    look.mutate({ text: content, file: chosen.name });
  };
  return (
    <FormDialog
      title="Import agents"
      size="lg"
      submitLabel={isPlanned ? "Import" : "Check"}
      isValid={text.trim() !== ""}
      isPending={look.isPending || bring.isPending}
      error={look.error ?? bring.error}
      onSubmit={() => (isPlanned ? bring.mutate() : look.mutate({ text, file }))}
      onClose={close}
      after={look.data === undefined ? null : <ImportPlan plan={look.data} />}
    >
      <TextField
        label="YAML or JSON, of one agent or of several under “agents”"
        rows={10}
        mono
        value={text}
        onChange={(next) => change(next)}
        autoFocus
      />
      <span>
        <FileTrigger acceptedFileTypes={[".yaml", ".yml", ".json"]} onSelect={(files) => void take(files?.[0])}>
          <AriaTriggers>
            <Button>Choose a file</Button>
          </AriaTriggers>
        </FileTrigger>
      </span>
    </FormDialog>
  );
}

const OUTCOMES = { created: "new, as a draft", updated: "new version", unchanged: "unchanged" } as const;

function ImportPlan({ plan: { agents, problems } }: { plan: ImportAgentsReply }) {
  return (
    <section aria-label="What it would do" aria-live="polite" className="mt-3 space-y-2 text-sm">
      {problems.length > 0 ? (
        <ul className="rounded-md bg-fail-soft px-3 py-2 text-fail-text">
          {problems.map(({ agentId, path, message, line }) => (
            <li key={`${agentId} ${path} ${line} ${message}`}>
              {line === undefined ? "" : `Line ${line}: `}
              {agentId === undefined ? "" : `${agentId}, `}
              {path === "" ? "" : `${path}: `}
              {message}
            </li>
          ))}
        </ul>
      ) : null}
      {agents.length > 0 ? (
        <p className="text-xs text-muted">New agents arrive as drafts. Known ones get a new version at once.</p>
      ) : null}
      <ul className="rounded-lg border border-border empty:hidden">
        {agents.map(({ id, outcome, warnings }) => (
          <li key={id} className="border-b border-separator px-3 py-1.5 last:border-b-0">
            <span className="flex items-center gap-2">
              <span className="font-mono text-xs">{id}</span>
              <Tag>{OUTCOMES[outcome]}</Tag>
            </span>
            {warnings.map(({ path, message }) => (
              <p key={`${path} ${message}`} className="text-xs text-limit-text">
                {path === "" ? "" : `${path}: `}
                {message}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
