"use client";
import { useState } from "react";
import { ConflictNotice } from "@/components/admin/conflict-notice";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { Tabs } from "@/components/ui/controls/tabs";
import { Time } from "@/components/ui/time";
import { useAgentDraft } from "@/lib/client/agents/use-agent-draft";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { AgentCrumbs } from "./agent-crumbs";
import { AgentFacts } from "./agent-facts";
import { AgentMenu } from "./agent-menu";
import { PublishDialog } from "./publish-dialog";
import { SandboxNotice } from "./sandbox-notice";
import { VersionList } from "./version-list";
import { YamlPane } from "./yaml/yaml-pane";

/** The text beside its meaning: edit, see what is wrong, publish a new version, look at older ones. */
export function AgentEditor({ agent }: { agent: AgentDetail }) {
  const live = agent.yaml ?? "";
  const draft = useAgentDraft(agent);
  const { isChanged } = draft;
  const [isPublishing, setPublishing] = useState(false);
  const [tab, setTab] = useState("facts");
  const next = agent.version + 1;
  return (
    <>
      <PageHead
        lead={<AgentCrumbs />}
        title={agent.id}
        facts={<LiveState agent={agent} isChanged={isChanged} />}
        actions={
          <>
            {isChanged ? (
              <Button variant="ghost" onPress={() => draft.setText(live)}>
                Discard
              </Button>
            ) : null}
            <AgentMenu agent={agent} yaml={draft.text} />
            <Button
              variant="primary"
              isDisabled={!isChanged || draft.state === "invalid"}
              onPress={() => setPublishing(true)}
            >
              Publish v{next}
            </Button>
          </>
        }
      />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col max-lg:min-h-[420px]">
          {draft.behind === null ? null : (
            <div className="border-b border-border bg-surface px-4 py-1.5">
              <ConflictNotice begunFrom={draft.behind} live={agent.version} />
            </div>
          )}
          <YamlPane fileName={`${agent.id}.yaml`} draft={draft} />
        </div>
        <aside className="flex w-[328px] shrink-0 flex-col border-l border-border max-lg:w-auto max-lg:border-t max-lg:border-l-0">
          <h2 className="sr-only">About this agent</h2>
          <Tabs
            label="Agent"
            selected={tab}
            onSelect={setTab}
            className="min-h-0 flex-1"
            items={[
              {
                id: "facts",
                label: "What is live",
                content: (
                  <>
                    <div className="p-3 empty:hidden">
                      <SandboxNotice agent={agent} />
                    </div>
                    <AgentFacts agent={agent} />
                  </>
                ),
              },
              {
                id: "versions",
                label: "Versions",
                content: <VersionList agentId={agent.id} onTake={draft.setText} />,
              },
            ]}
          />
        </aside>
      </div>
      <PublishDialog agent={agent} draft={draft} isOpen={isPublishing} onClose={() => setPublishing(false)} />
    </>
  );
}

function LiveState({ agent, isChanged }: { agent: AgentDetail; isChanged: boolean }) {
  return (
    <span className="tnum ml-2 flex items-center gap-2 text-xs whitespace-nowrap text-muted max-sm:hidden">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-1.5 rounded-full bg-ok" />
        <span>
          v{agent.version} live · <Time at={agent.updatedAt} />
        </span>
      </span>
      {isChanged ? (
        <span className="flex items-center gap-1.5 font-medium text-foreground">
          <span aria-hidden="true" className="size-1.5 rounded-full border-[1.5px] border-foreground" />
          Not published
        </span>
      ) : null}
    </span>
  );
}
