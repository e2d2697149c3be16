"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { z } from "zod";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { createAgent } from "@/lib/client/agents/agent-queries";
import { agentTemplatesQuery } from "@/lib/client/agents/list-agents";
import { useCheckedYaml } from "@/lib/client/agents/use-checked-yaml";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { AgentCrumbs } from "./agent-crumbs";
import { YamlPane } from "./yaml/yaml-pane";

const START = `name: My agent
description: What it is for, in one line.
system_prompt: |
  You are a helpful assistant.
tools: [calculate, current_datetime]
backend:
  type: state
`;

const AGENT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A new agent's id and text, starting from a template if one was chosen. */
export function NewAgentPage() {
  const [template] = useQueryState("template");
  const templates = useQuery({ ...agentTemplatesQuery, enabled: template !== null });
  const chosen = templates.data?.find(({ id }) => id === template);
  if (template !== null && templates.isPending) {
    return (
      <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        <PageHead lead={<AgentCrumbs />} title="New agent" />
        <SkeletonList label="Loading the template" rows={8} className="p-4" />
      </main>
    );
  }
  return <NewAgent start={chosen?.yaml ?? START} suggestedId={chosen?.id ?? ""} />;
}

const KeptAgent = z.object({ agentId: z.string(), text: z.string() });

/** The tab keeps what was typed until the agent is created, or the person starts over. */
function NewAgent({ start, suggestedId }: { start: string; suggestedId: string }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const kept = useRemembered(`new-agent ${suggestedId}`, KeptAgent);
  const fresh = { agentId: suggestedId, text: start };
  const typed = kept.value ?? fresh;
  const { agentId } = typed;
  const setAgentId = (next: string) => kept.set({ ...typed, agentId: next });
  const draft = useCheckedYaml(typed.text, (text) => kept.set({ ...typed, text }));
  const create = useMutation({
    mutationFn: () => createAgent({ agentId, yaml: draft.text, note: "" }),
    onSuccess: async () => {
      kept.forget();
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      router.push(`/admin/agents/${agentId}`);
    },
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
  });
  const isIdWrong = agentId !== "" && !AGENT_ID.test(agentId);
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <PageHead
        lead={<AgentCrumbs />}
        title="New agent"
        actions={
          <>
            {typed.agentId === fresh.agentId && typed.text === fresh.text ? null : (
              <Button variant="ghost" onPress={() => kept.set(fresh)}>
                Begin again
              </Button>
            )}
            <Button
              variant="primary"
              isPending={create.isPending || create.isSuccess}
              isDisabled={!AGENT_ID.test(agentId) || draft.state === "invalid"}
              onPress={() => create.mutate()}
            >
              Create agent
            </Button>
          </>
        }
      />
      <div className="shrink-0 border-b border-border px-5 py-3">
        <TextField
          label="Id"
          description="Lower case letters, digits, - and _. It is part of links and API calls and can't be changed later."
          value={agentId}
          onChange={setAgentId}
          isInvalid={isIdWrong}
          errorMessage={isIdWrong ? "Start with a letter or digit; use only a–z, 0–9, - and _." : undefined}
          mono
          autoFocus
          className="max-w-[436px]"
        />
      </div>
      <YamlPane fileName={`${agentId || "new"}.yaml`} draft={draft} />
    </main>
  );
}
