"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, Folder, Upload, UserPlus } from "lucide-react";
import { useState } from "react";
import { Initials } from "@/components/chat/transcript/user-message";
import { Button } from "@/components/ui/controls/button";
import { ChooseFilesButton } from "@/components/ui/controls/choose-files-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Section } from "@/components/ui/section";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { Time } from "@/components/ui/time";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { errorMessage } from "@/lib/client/http/api";
import { projectFilesQuery, projectFileUrl, uploadProjectFile } from "@/lib/client/projects/project-queries";
import { formatMoney } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { formatSize } from "@/lib/schema/files/format-size";
import type { Project } from "@/lib/schema/projects/project";
import type { ProjectRole } from "@/lib/schema/projects/thread-project";
import { EditInstructions } from "./edit-instructions";
import { EditMember } from "./edit-member";

const ROLE_WORDS: Readonly<Record<ProjectRole, string>> = { owner: "owner", write: "writes", read: "reads" };

/** Instructions, files, members and what the project works with. */
export function ProjectPanel({ project, viewerId }: { project: Project; viewerId: string }) {
  const isOwner = project.role === "owner";
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <InstructionsSection project={project} isOwner={isOwner} />
      <FilesSection project={project} mayWrite={project.role !== "read"} />
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
          None yet. What an owner writes here is in every prompt, after the agent's own text.
        </p>
      ) : (
        <>
          <p className="line-clamp-8 text-sm break-words whitespace-pre-wrap">{instructions.text}</p>
          <p className="mt-1.5 text-xs text-muted">
            <span className="tnum">{instructions.tokens}</span> tokens in every prompt, after the agent's own. Changed
            by {instructions.changedBy}, <Time at={instructions.changedAt} />
          </p>
        </>
      )}
      {isOpen ? <EditInstructions project={project} mayEdit={isOwner} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

function FilesSection({ project, mayWrite }: { project: Project; mayWrite: boolean }) {
  const queryClient = useQueryClient();
  const files = useQuery(projectFilesQuery(project.id));
  const uploading = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) await uploadProjectFile(project.id, file);
    },
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: projectFilesQuery(project.id).queryKey }),
  });
  const entries = files.data?.entries ?? [];
  const sizeBytes = entries.reduce((sum, { size }) => sum + size, 0);
  return (
    <Section
      title="Files"
      extra={
        <>
          {entries.length === 0 ? null : (
            <span>
              {entries.length}, {formatSize(sizeBytes)}
            </span>
          )}
          {mayWrite ? (
            <ChooseFilesButton
              label="Add files"
              fieldLabel="Files for the project"
              size="xs"
              isDisabled={uploading.isPending}
              onFiles={(chosen) => uploading.mutate(chosen)}
            >
              <Upload />
            </ChooseFilesButton>
          ) : null}
        </>
      }
    >
      {files.isPending ? <SkeletonList label="Loading the files" rows={2} rowHeight={24} /> : null}
      {files.isError ? <p className="text-xs text-muted">{errorMessage(files.error)}</p> : null}
      {files.isSuccess && entries.length === 0 ? (
        <p className="text-xs text-muted">
          No files yet. What is added here, every thread with project files can read.
        </p>
      ) : null}
      <ul>
        {entries.map(({ name, type, size }) => (
          <li key={name} className="flex min-h-7 items-center gap-2 text-xs touch-row">
            {type === "dir" ? (
              <Folder className="size-3.5 shrink-0 text-muted" aria-hidden />
            ) : (
              <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
            )}
            {type === "file" ? (
              <a
                href={projectFileUrl(project.id, name)}
                download={name}
                className="min-w-0 flex-1 truncate font-mono hover:underline"
              >
                {name}
              </a>
            ) : (
              <span className="min-w-0 flex-1 truncate font-mono">{name}</span>
            )}
            {type === "file" ? <span className="tnum text-muted">{formatSize(size)}</span> : null}
          </li>
        ))}
      </ul>
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
              <Button variant="ghost" aria-label={`${name}, ${ROLE_WORDS[role]}`} onPress={() => setEdited(userId)}>
                {ROLE_WORDS[role]}
              </Button>
            ) : (
              <span className="text-xs text-muted">{ROLE_WORDS[role]}</span>
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
function costWords({ usd, isPartial, budgetUsd }: Project["cost"]): string {
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
    ["Cost", costWords(project.cost)],
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
