"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { z } from "zod";
import { type ConfigText, readConfigText } from "@/lib/client/agents/config-text/config-text";
import { type ConfigChange, type ConfigPath, changedPaths } from "@/lib/client/agents/config-text/config-values";
import { setInText } from "@/lib/client/agents/config-text/edit-config-text";
import { agentDraftQuery } from "@/lib/client/agents/draft/draft-queries";
import { FORM_TABS, fieldsOf } from "@/lib/client/agents/form/form-tabs";
import { useCheckedYaml, type YamlDraft } from "@/lib/client/agents/use-checked-yaml";
import { readDraft, writeDraft } from "@/lib/client/chat/composer/drafts";
import type { AgentDetail, RawConfig } from "@/lib/schema/agents/agent-api";
import type { AgentDraft } from "@/lib/schema/agents/agent-draft";
import { DraftSaver, type DraftState, type KeptText } from "./draft-saver";
import { saveInTurn } from "./save-in-turn";

export interface AgentEditor {
  readonly agent: AgentDetail;
  readonly state: DraftState;
  readonly saver: DraftSaver;
  readonly read: ConfigText;
  /** The form's values: the text's fields, or the last readable ones. */
  readonly config: RawConfig;
  /** Why the form is paused: the text can't be shown as fields. */
  readonly wait: FormWait | null;
  readonly check: YamlDraft;
  /** The differences from the live version, field by field; none while there is no live version. */
  readonly changes: readonly ConfigChange[];
  readonly setField: (path: ConfigPath, value: unknown) => void;
}

interface FormWait {
  readonly line: number | null;
  readonly message: string;
}

/** An agent's draft as its page edits it: one text, its fields, and how it differs from the live version. */
export function useAgentEditor(agent: AgentDetail, first: AgentDraft): AgentEditor {
  const saver = useDraftSaver(agent.id, first);
  const state = useSyncExternalStore(saver.subscribe, saver.snapshot, saver.snapshot);
  const { text } = state;
  const read = useMemo(() => readConfigText(text), [text]);
  const [shown, setShown] = useState<RawConfig>(read.config ?? agent.config ?? {});
  const misfit = useMemo(() => (read.config === null ? null : findMisfit(read.config)), [read]);
  if (read.config !== null && misfit === null && shown !== read.config) setShown(read.config);
  const check = useCheckedYaml(text, saver.setText);
  const config = misfit === null ? (read.config ?? shown) : shown;
  const changes = useMemo(
    () =>
      agent.version === null || text === (agent.yaml ?? "") || read.config === null
        ? []
        : changedPaths(agent.config ?? {}, read.config),
    [text, read, agent],
  );
  return {
    agent,
    state,
    saver,
    read,
    config,
    check,
    changes,
    wait: read.config !== null && misfit === null ? null : waitOf(check, read, misfit),
    setField: useCallback(
      (path: ConfigPath, value: unknown) => saver.setText(setInText(saver.snapshot().text, path, value)),
      [saver],
    ),
  };
}

function useDraftSaver(agentId: string, first: AgentDraft): DraftSaver {
  const queryClient = useQueryClient();
  const query = agentDraftQuery(agentId);
  const [saver] = useState(
    () =>
      new DraftSaver({
        stored: first,
        kept: readKept(agentId),
        send: (yaml, revision) => saveInTurn(agentId, yaml, revision),
        keep: (kept) => writeDraft(`agent:${agentId}`, kept === null ? "" : JSON.stringify(kept)),
        onStored: (draft) => {
          // A response requested before the save would look like another person's change.
          void queryClient.cancelQueries({ queryKey: query.queryKey });
          queryClient.setQueryData(query.queryKey, draft);
        },
      }),
  );
  useEffect(() => {
    saver.open();
    return saver.close;
  }, [saver]);
  const { data } = useQuery({ ...query, initialData: first });
  useEffect(() => saver.receive(data), [saver, data]);
  return saver;
}

const KeptDraft = z.object({ text: z.string(), base: z.string(), revision: z.number() });

function readKept(agentId: string): KeptText | null {
  try {
    return KeptDraft.parse(JSON.parse(readDraft(`agent:${agentId}`)));
  } catch {
    return null;
  }
}

/** Lists and mappings written as something else, which the form can't show. */
function findMisfit(config: RawConfig): ConfigPath | null {
  for (const { path, control } of FORM_TABS.flatMap(fieldsOf)) {
    const found = path.slice(0, -1).reduce<unknown>((value, key) => {
      if (value === undefined || value === null) return undefined;
      return isMapping(value) ? value[key] : MISFIT;
    }, config);
    if (found === MISFIT || !(found === undefined || found === null || isMapping(found))) return path.slice(0, -1);
    const value = isMapping(found) ? found[path.at(-1) ?? ""] : undefined;
    if (LISTS.has(control.kind) && !(value === undefined || value === null || Array.isArray(value))) return path;
  }
  return null;
}

const MISFIT = Symbol("misfit");
const LISTS: ReadonlySet<string> = new Set(["words", "models", "subagents", "rules"]);

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function waitOf(check: YamlDraft, read: ConfigText, misfit: ConfigPath | null): FormWait {
  const name = misfit?.join(".") ?? "";
  const errors = check.problems.filter(({ severity }) => severity === "error");
  const problem = misfit === null ? errors[0] : errors.find(({ path }) => path.startsWith(name));
  if (problem && check.state !== "checking") return { line: problem.line ?? null, message: problem.message };
  const offset = read.document.errors[0]?.pos[0];
  const line = offset === undefined ? null : read.text.slice(0, offset).split("\n").length;
  return { line, message: misfit === null ? "this can't be read yet." : `${name} can't be shown.` };
}
