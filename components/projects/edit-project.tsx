"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { createProject, deleteProject, restoreProject, updateProject } from "@/lib/client/projects/project-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Project } from "@/lib/schema/projects/project";

const NONE = "none";

interface EditProjectProps {
  /** Null for a new one. */
  project: Project | null;
  onClose: () => void;
}

/** Name, description and default agent of a project; each problem is shown at its field. */
export function EditProject({ project, onClose }: EditProjectProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const agents = useQuery(agentsQuery);
  const { name = "", description = "", agentId = null } = project ?? {};
  const [draft, setDraft] = useState({ name, description, agentId });
  const refresh = () => queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
  const saving = useMutation({
    mutationFn: () => (project === null ? createProject(draft) : updateProject(project.id, draft)),
    onSuccess: async ({ id }) => {
      await refresh();
      onClose();
      if (project === null) router.push(`/projects/${id}`);
    },
  });
  const change = (field: Partial<typeof draft>) => {
    setDraft({ ...draft, ...field });
    saving.reset();
  };
  const problems = saving.error instanceof ApiError ? saving.error.problems : new Map<string, string>();
  const problemAt = (path: string) => ({ isInvalid: problems.has(path), errorMessage: problems.get(path) });
  const attempt = async (work: Promise<unknown>, onDone: () => void) => {
    try {
      await work;
      onDone();
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await refresh();
  };
  const archive = ({ id, archived }: Project) => {
    onClose();
    void attempt(updateProject(id, { archived: !archived }), () =>
      showToast({
        title: archived ? "Unarchived" : "Archived",
        onUndo: () => void attempt(updateProject(id, { archived }), () => undefined),
      }),
    );
  };
  const remove = (gone: Project) => {
    onClose();
    void attempt(deleteProject(gone.id), () => {
      router.push("/");
      void queryClient.invalidateQueries({ queryKey: THREADS_KEY });
      showToast({
        title: `Deleted “${gone.name}”`,
        onUndo: () => void attempt(restoreProject(gone.id), () => router.push(`/projects/${gone.id}`)),
      });
    });
  };
  return (
    <FormDialog
      title={project === null ? "New project" : "Project settings"}
      submitLabel={project === null ? "Create project" : "Save"}
      isPending={saving.isPending}
      error={problems.size > 0 ? undefined : saving.error}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        value={draft.name}
        onChange={(value) => change({ name: value })}
        {...problemAt("name")}
      />
      <TextField
        label="Description"
        value={draft.description}
        onChange={(value) => change({ description: value })}
        {...problemAt("description")}
      />
      <Select
        label="Default agent"
        options={[
          { id: NONE, name: "None" },
          ...(agents.data ?? []).map((agent) => ({ id: agent.id, name: agent.name })),
        ]}
        value={draft.agentId ?? NONE}
        onChange={(id) => change({ agentId: id === NONE ? null : id })}
        {...problemAt("agentId")}
      />
      {project === null ? null : (
        <div className="-ml-2.5 flex flex-wrap gap-2">
          <Button variant="ghost" onPress={() => archive(project)}>
            {project.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}{" "}
            {project.archived ? "Unarchive" : "Archive"}
          </Button>
          <Button variant="danger-ghost" onPress={() => remove(project)}>
            <Trash2 aria-hidden /> Delete
          </Button>
          <p className="w-full pl-2.5 text-xs text-muted">
            Deleting a project stops its runs. Its threads stay with the people who started them.
          </p>
        </div>
      )}
    </FormDialog>
  );
}
