"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "@/components/admin/query-state";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { agentVersionQuery, agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import type { AgentVersionSummary } from "@/lib/schema/agents/agent-api";

export interface VersionListProps {
  agentId: string;
  /** Puts the text of an older version into the editor. */
  onTake: (yaml: string) => void;
}

/** Every published version, newest first: who, when and why. */
export function VersionList({ agentId, onTake }: VersionListProps) {
  const versions = useQuery(agentVersionsQuery(agentId));
  const [shown, setShown] = useState<number | null>(null);
  return (
    <>
      <QueryState what="versions" query={versions}>
        {(found) => (
          <ol className="divide-y divide-separator">
            {found.map((version) => (
              <VersionRow key={version.number} version={version} onOpen={() => setShown(version.number)} />
            ))}
          </ol>
        )}
      </QueryState>
      {shown === null ? null : (
        <VersionDialog
          agentId={agentId}
          number={shown}
          onTake={(yaml) => {
            onTake(yaml);
            setShown(null);
          }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function VersionRow({ version, onOpen }: { version: AgentVersionSummary; onOpen: () => void }) {
  return (
    <li>
      <button type="button" onClick={onOpen} className="block w-full px-4 py-2 text-left hover:bg-default">
        <span className="flex items-center gap-2 text-sm">
          <span className="tnum font-medium">v{version.number}</span>
          {version.current ? <Tag>live</Tag> : null}
          <span className="ml-auto text-xs text-muted">
            <Time at={version.createdAt} />
          </span>
        </span>
        <span className="block truncate text-xs text-muted">
          {[version.createdByName ?? "Ringmaster", version.note].filter(Boolean).join(" · ")}
        </span>
      </button>
    </li>
  );
}

interface VersionDialogProps {
  agentId: string;
  number: number;
  onTake: (yaml: string) => void;
  onClose: () => void;
}

function VersionDialog({ agentId, number, onTake, onClose }: VersionDialogProps) {
  const version = useQuery(agentVersionQuery(agentId, number));
  const yaml = version.data?.yaml;
  return (
    <Dialog
      title={`v${number} of ${agentId}`}
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        yaml === undefined || version.data?.current ? null : (
          <Button onPress={() => onTake(yaml)}>Load into the editor</Button>
        )
      }
    >
      <QueryState what="version" query={version}>
        {(found) => <CodeBlock title={`${agentId}.yaml`} hasLineNumbers code={found.yaml} />}
      </QueryState>
    </Dialog>
  );
}
