"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, UserPlus } from "lucide-react";
import { useState } from "react";
import { Initials } from "@/components/chat/transcript/user-message";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { formatMoney } from "@/lib/client/ui/text/format";
import type { Project } from "@/lib/schema/projects/project";
import type { ProjectRole } from "@/lib/schema/projects/thread-project";
import { EditInstructions } from "./edit-instructions";
import { EditMember } from "./edit-member";
import { ProjectFiles } from "./project-files";

const ROLE_LABELS: Readonly<Record<ProjectRole, string>> = { owner: "owner", write: "writes", read: "reads" };

/** Instructions, files, members and what the project works with. */
export function ProjectPanel({ project, viewerId }: { project: Project; viewerId: string }) {
  const mayChat = useShell().viewer.scopes.includes("chat");
  const isOwner = project.role === "owner";
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <InstructionsSection project={project} isOwner={isOwner} />
      <ProjectFiles projectId={project.id} mayWrite={mayChat && project.role !== "read"} />
      <MembersSection project={project} isOwner={isOwner} viewerId={viewerId} />
      <WorksWith project={project} />
    </div>
  );
}

function InstructionsSection({ project, isOwner }: { project: Project; isOwner: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { instructions } = project;
  return (
    <Section
      title="Instructions"
      extra={
        isOwner || instructions !== null ? (
          <Button variant="ghost" onPress={() => setOpen(true)}>
            {isOwner ? "Edit" : "Versions"}
          </Button>
        ) : null
      }
    >
      {instructions === null || instructions.text === "" ? (
        <p className="text-xs text-muted">
          None yet. What an owner writes here goes into every prompt, after the agent's own text.
        </p>
      ) : (
        <>
          <p className="line-clamp-8 text-sm break-words whitespace-pre-wrap">{instructions.text}</p>
          <p className="mt-1.5 text-xs text-muted">
            <span className="tnum">{instructions.tokens}</span> {instructions.tokens === 1 ? "token" : "tokens"} in
            every prompt, after the agent's own. Changed by {instructions.changedBy},{" "}
            <Time at={instructions.changedAt} />
          </p>
        </>
      )}
      {isOpen ? <EditInstructions project={project} mayEdit={isOwner} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

interface MembersSectionProps {
  project: Project;
  isOwner: boolean;
  viewerId: string;
}

function MembersSection({ project, isOwner, viewerId }: MembersSectionProps) {
  const [edited, setEdited] = useState<string | "new" | null>(null);
  const { members } = project;
  return (
    <Section
      title="Members"
      extra={
        <>
          {members.length}
          {isOwner ? (
            <IconButton label="Add a member" size="xs" onPress={() => setEdited("new")}>
              <UserPlus />
            </IconButton>
          ) : null}
        </>
      }
    >
      <ul aria-label="Members">
        {members.map(({ userId, name, role }) => (
          <li key={userId} className="flex min-h-8 items-center gap-2 text-sm touch-row">
            <Initials name={name} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {isOwner || userId === viewerId ? (
              <Button
                variant="ghost"
                aria-label={`${name}, ${ROLE_LABELS[role]}`}
                onPress={() => setEdited(userId)}
                className="-mr-2.5 font-normal! text-muted!"
              >
                {ROLE_LABELS[role]} <ChevronDown aria-hidden />
              </Button>
            ) : (
              <span className="text-xs text-muted">{ROLE_LABELS[role]}</span>
            )}
          </li>
        ))}
      </ul>
      {edited === null ? null : (
        <EditMember
          project={project}
          member={members.find(({ userId }) => userId === edited) ?? null}
          isSelf={edited === viewerId}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

/** "$11.40 of $50.00 this month". */
function costText({ usd, isPartial, budgetUsd }: Project["cost"]): string {
  if (isPartial && usd === 0) return "unknown this month: no prices are known";
  const limit = budgetUsd === null ? "" : ` of ${formatMoney(budgetUsd)}`;
  return `${isPartial ? "at least " : ""}${formatMoney(usd)}${limit} this month${isPartial ? ", some prices are unknown" : ""}`;
}

function WorksWith({ project }: { project: Project }) {
  const agents = useQuery(agentsQuery);
  const agent = agents.data?.find(({ id }) => id === project.agentId);
  const facts = [
    ["Default agent", project.agentId === null ? "none" : `${agent?.name ?? project.agentId}, the published version`],
    ["Memory", "of the project, shared by its members, never personal"],
    ["Approvals", "go to the person who started the run"],
    ["Rights", "each run has those of the person who started it, and their budget"],
    ["Cost", costText(project.cost)],
  ] as const;
  return (
    <Section title="Works with">
      <dl className="grid grid-cols-[6.5rem_1fr] gap-x-2 gap-y-1.5 text-xs">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
