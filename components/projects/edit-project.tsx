"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { typedNullable } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { createProject, deleteProject, restoreProject, updateProject } from "@/lib/client/projects/project-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { CreateProjectBody, type Project } from "@/lib/schema/projects/project";

const { name, description, agentId } = CreateProjectBody.shape;
/** No agent is an empty choice. */
const ProjectForm = z.object({ name, description, agentId: typedNullable(agentId.unwrap()) });

interface EditProjectProps {
  /** Null for a new one. */
  project: Project | null;
  onClose: () => void;
}

/** Name, description and default agent of a project. A reload keeps what was typed. */
export function EditProject({ project, onClose }: EditProjectProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const agents = useQuery(agentsQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
  const form = useForm({
    subject: `project ${project?.id ?? "new"}`,
    schema: ProjectForm,
    initial: {
      name: project?.name ?? "",
      description: project?.description ?? "",
      agentId: project?.agentId ?? "",
    },
    save: (body) => (project === null ? createProject(body) : updateProject(project.id, body)),
    onSaved: async ({ id }) => {
      await refresh();
      onClose();
      if (project === null) router.push(`/projects/${id}`);
    },
  });
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
      form={form}
      title={project === null ? "New project" : "Project settings"}
      submitLabel={project === null ? "Create project" : "Save"}
      onClose={onClose}
    >
      <Field of={form} name="name" label="Name" autoFocus />
      <Field of={form} name="description" label="Description" />
      <SelectField
        of={form}
        name="agentId"
        label="Default agent"
        options={[
          { id: "", name: "None" },
          ...(agents.data ?? []).map((agent) => ({ id: agent.id, name: agent.name })),
        ]}
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
