"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { z } from "zod";
import { AgentCrumbs } from "@/components/admin/agents/agent-crumbs";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { createDraftAgent } from "@/lib/client/agents/agent-queries";
import { readConfigText } from "@/lib/client/agents/config-text/config-text";
import { setConfig } from "@/lib/client/agents/config-text/set-config";
import { createTestThread, keepTestThread } from "@/lib/client/agents/draft/test-threads";
import { agentTemplatesQuery } from "@/lib/client/agents/list-agents";
import { sendMessage } from "@/lib/client/chat/threads/thread-actions";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { type AgentTemplate, blankAgent } from "@/lib/schema/agents/agent-activity";
import { agentIdFrom } from "@/lib/schema/agents/agent-id";
import { FirstTry } from "./first-try";
import { FourFields } from "./four-fields";
import { TemplateRow } from "./template-row";

/** A new agent in four fields, which a template fills; the draft begins with its first message, or with the button. */
export function NewAgentPage() {
  const [template, setTemplate] = useQueryState("template");
  const templates = useQuery({ ...agentTemplatesQuery, enabled: template !== null });
  if (template !== null && templates.isPending) {
    return (
      <Page>
        <PageHead lead={<AgentCrumbs />} title="New agent" />
        <SkeletonList label="Loading the template" rows={8} className="p-4" />
      </Page>
    );
  }
  const chosen = templates.data?.find(({ id }) => id === template) ?? null;
  return (
    <NewAgent
      key={chosen?.id ?? ""}
      template={chosen}
      onTemplate={(next) => void setTemplate(next?.id ?? null, { history: "replace" })}
    />
  );
}

/** `id` is null while it follows the name. */
const KeptAgent = z.object({ text: z.string(), id: z.string().nullable() });

interface NewAgentProps {
  template: AgentTemplate | null;
  onTemplate: (template: AgentTemplate | null) => void;
}

/** The tab keeps what was typed until the draft exists, or the person starts over. */
function NewAgent({ template, onTemplate }: NewAgentProps) {
  const fresh = { text: template?.yaml ?? blankAgent(""), id: null };
  const kept = useRemembered(`new-agent ${template?.id ?? ""}`, KeptAgent);
  const typed = kept.value ?? fresh;
  const config = readConfigText(typed.text).config ?? {};
  const name = typeof config.name === "string" ? config.name.trim() : "";
  const agentId = typed.id ?? (name === "" ? "" : agentIdFrom(name));
  const [isNameMissing, setNameMissing] = useState(false);
  const create = useCreate(kept.forget);
  const submit = async (then: (agentId: string) => Promise<void>) => {
    setNameMissing(name === "");
    if (name === "") throw new Error("Give the agent a name first.");
    await create.mutateAsync({ yaml: typed.text, id: typed.id, then });
  };
  const { idProblem } = create;
  return (
    <Page>
      <PageHead
        lead={<AgentCrumbs />}
        title="New agent"
        actions={
          typed.text === fresh.text && typed.id === null ? null : (
            <Button variant="ghost" onPress={() => kept.set(fresh)}>
              Start over
            </Button>
          )
        }
      />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <section aria-label="New agent" className="flex min-w-0 flex-col lg:min-h-0 lg:flex-1">
          <div className="space-y-5 px-5 py-4 max-sm:px-4 lg:min-h-0 lg:max-w-[668px] lg:flex-1 lg:overflow-y-auto">
            <TemplateRow chosen={template?.id ?? null} onChoose={onTemplate} />
            <FourFields
              config={config}
              onConfig={(next) => kept.set({ ...typed, text: setConfig(typed.text, next) })}
              nameProblem={isNameMissing && name === "" ? "Give the agent a name." : undefined}
              idLine={
                <IdLine
                  id={agentId}
                  isOwn={typed.id !== null}
                  problem={idProblem}
                  onId={(id) => {
                    create.reset();
                    kept.set({ ...typed, id });
                  }}
                />
              }
            />
          </div>
          <footer className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-border px-5 py-3 max-sm:px-4">
            <p className="min-w-0 flex-1 text-xs text-muted">
              Only administrators see the draft until it is published.
            </p>
            <Button
              variant="primary"
              size="md"
              isPending={create.isPending || create.isSuccess}
              onPress={() => void submit(async () => undefined).catch(() => undefined)}
            >
              Create draft
            </Button>
          </footer>
        </section>
        <FirstTry
          description={typeof config.description === "string" ? config.description : ""}
          onSend={(content) =>
            submit(async (id) => {
              const threadId = await createTestThread(id);
              await sendMessage({ threadId, content });
              keepTestThread(id, threadId);
            })
          }
        />
      </div>
    </Page>
  );
}

interface NewDraft {
  readonly yaml: string;
  /** Null: from the name. */
  readonly id: string | null;
  /** Before its page opens. */
  readonly then: (agentId: string) => Promise<void>;
}

function useCreate(forget: () => void) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: async ({ yaml, id, then }: NewDraft) => {
      const agentId = await createDraftAgent({ yaml, ...(id === null ? {} : { id }) });
      // The draft exists, whether or not its first message could be sent.
      await then(agentId).catch((error: Error) => showToast({ title: errorMessage(error), tone: "error" }));
      return agentId;
    },
    onSuccess: async (agentId) => {
      forget();
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      router.push(`/admin/agents/${encodeURIComponent(agentId)}`);
    },
    onError: (error) => {
      if (problemOfId(error) === undefined) showToast({ title: errorMessage(error), tone: "error" });
    },
  });
  return Object.assign(create, { idProblem: create.error === null ? undefined : problemOfId(create.error) });
}

function problemOfId(error: Error): string | undefined {
  return error instanceof ApiError ? error.problems.get("id") : undefined;
}

interface IdLineProps {
  id: string;
  /** Typed by the person, no longer derived from the name. */
  isOwn: boolean;
  problem: string | undefined;
  onId: (id: string) => void;
}

/** The id that the name gives; a press makes it a field. */
function IdLine({ id, isOwn, problem, onId }: IdLineProps) {
  if (isOwn || problem !== undefined) {
    return (
      <TextField
        label="Id"
        description="The id is part of links and API calls and cannot be changed later."
        value={id}
        onChange={onId}
        isInvalid={problem !== undefined}
        errorMessage={problem}
        mono
        autoFocus
        maxLength={64}
        className="mt-3"
      />
    );
  }
  if (id === "") return null;
  return (
    <p className="mt-1 flex items-center gap-2 text-xs text-muted">
      <span>
        Id: <span className="font-mono">{id}</span>
      </span>
      <button type="button" onClick={() => onId(id)} className="text-link hover:underline touch-target">
        Change
      </button>
    </p>
  );
}
