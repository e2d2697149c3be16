"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, FolderOpen, Settings2, UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ThreadsDrawer } from "@/components/chat/threads/threads-drawer";
import { Initials } from "@/components/chat/transcript/user-message";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Sheet } from "@/components/ui/overlays/sheet";
import { EmptyState } from "@/components/ui/states/state-block";
import { Tag } from "@/components/ui/tag";
import { ApiError } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { loadedData } from "@/lib/client/http/loaded-data";
import { projectQuery } from "@/lib/client/projects/project-queries";
import { usePageTitle } from "@/lib/client/ui/use-page-title";
import type { Project } from "@/lib/schema/projects/project";
import { ProjectComposer } from "./project-composer";
import { ProjectPanel } from "./project-panel";
import { ProjectThreads } from "./project-threads";

const EditProject = dynamic(async () => (await loadWithRetry(() => import("./edit-project"))).EditProject, {
  ssr: false,
});
const EditMember = dynamic(async () => (await loadWithRetry(() => import("./edit-member"))).EditMember, { ssr: false });

const KEYS = [
  { keys: "c", does: "Start a thread" },
  { keys: "j k", does: "Next and previous thread" },
  { keys: "Enter", does: "Open the thread" },
  { keys: "s", does: "Search in this project" },
] as const;

export interface ProjectPageProps {
  initialProject: Project;
  /** Of before it was read. */
  feedRevision: string | null;
}

/** One project: a composer that starts a thread in it, its threads, and beside them what it works with. */
export function ProjectPage({ initialProject, feedRevision }: ProjectPageProps) {
  const { viewer } = useShell();
  const query = useQuery({ ...projectQuery(initialProject.id), ...loadedData(initialProject, feedRevision) });
  const [isEditing, setEditing] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  usePageKeys(KEYS);
  usePageTitle(initialProject.name, false, 0);
  if (query.error instanceof ApiError && query.error.status === 404) return <NoLongerHere />;
  const project = query.data;
  const { name, description, members, role } = project;
  const owner = members.find((member) => member.role === "owner")?.name ?? "an owner";
  const panel = <ProjectPanel project={project} viewerId={viewer.id} />;
  return (
    <>
      <Page>
        <PageHead
          title={name}
          lead={
            <>
              <ThreadsDrawer />
              <FolderOpen className="size-4 shrink-0 text-muted" aria-hidden />
            </>
          }
          facts={
            <>
              <span className="min-w-0 truncate text-sm text-muted max-sm:hidden">{description}</span>
              {project.archived ? <Tag>Archived</Tag> : null}
            </>
          }
          actions={
            <>
              <MemberFaces members={members} />
              {role === "owner" ? (
                <>
                  <Button variant="ghost" onPress={() => setSharing(true)} className="max-sm:hidden">
                    <UserPlus aria-hidden /> Share
                  </Button>
                  <Button onPress={() => setEditing(true)}>
                    <Settings2 aria-hidden /> Settings
                  </Button>
                </>
              ) : null}
            </>
          }
        />
        <button
          type="button"
          aria-expanded={isSheetOpen}
          onClick={() => setSheetOpen(true)}
          className="flex h-9 shrink-0 items-center gap-2 border-b border-border bg-background px-4 text-left text-xs -outline-offset-2 touch-row hover:bg-default xl:hidden"
        >
          <span className="min-w-0 flex-1 truncate">
            Instructions, files and {members.length === 1 ? "1 member" : `${members.length} members`}
          </span>
          <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
        </button>
        <Sheet label="Project" side="right" isOpen={isSheetOpen} onClose={() => setSheetOpen(false)}>
          {panel}
        </Sheet>
        {viewer.scopes.includes("chat") && role !== "read" ? (
          <div className="mx-auto w-full max-w-[1080px] shrink-0 pt-3 [&>div]:max-w-none">
            <ProjectComposer project={project} />
          </div>
        ) : (
          <p className="mx-auto w-full max-w-[1080px] px-6 py-4 text-xs text-muted max-sm:px-3">
            {role === "read"
              ? `You can read here. Ask ${owner} to write.`
              : "Your role is viewer: you can read this project but not start threads in it."}
          </p>
        )}
        <ProjectThreads project={project} viewerId={viewer.id} />
        {isEditing ? <EditProject project={project} onClose={() => setEditing(false)} /> : null}
        {isSharing ? (
          <EditMember project={project} member={null} isSelf={false} onClose={() => setSharing(false)} />
        ) : null}
      </Page>
      <aside
        aria-label="Project"
        className="flex w-[328px] shrink-0 flex-col border-l border-border bg-background max-xl:hidden"
      >
        {panel}
      </aside>
    </>
  );
}

const SHOWN_FACES = 4;

/** The first members by their initials; the panel has their names and roles. */
function MemberFaces({ members }: Pick<Project, "members">) {
  const more = members.length - SHOWN_FACES;
  return (
    <span
      role="img"
      aria-label={`Members: ${members.map(({ name }) => name).join(", ")}`}
      className="flex shrink-0 items-center -space-x-1 max-sm:hidden"
    >
      {members.slice(0, SHOWN_FACES).map(({ userId, name }) => (
        <span key={userId} title={name} className="rounded-full border-2 border-surface">
          <Initials name={name} />
        </span>
      ))}
      {more > 0 ? <span className="tnum pl-2 text-xs text-muted">+{more}</span> : null}
    </span>
  );
}

function NoLongerHere() {
  return (
    <Page>
      <PageHead title="Project" lead={<ThreadsDrawer />} />
      <EmptyState title="This project is no longer here">
        It was deleted, or you are no longer a member. Ask an owner if you still need it.
      </EmptyState>
    </Page>
  );
}
