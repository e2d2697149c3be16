"use client";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "@/components/ui/controls/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { updateThread } from "@/lib/client/chat/threads/thread-actions";
import { errorMessage } from "@/lib/client/http/api";
import { FILES_KEY, PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ThreadSummary } from "@/lib/schema/threads/thread";

const NONE = "none";

/** Moves a thread into a project or out of one. */
export function MoveThread({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const queryClient = useQueryClient();
  const projects = useWritableProjects();
  const home = thread.project?.id ?? null;
  const [chosen, setChosen] = useState(home ?? NONE);
  const refresh = async () => {
    for (const queryKey of [THREADS_KEY, PROJECTS_KEY, FILES_KEY]) await queryClient.invalidateQueries({ queryKey });
  };
  const moveBack = async () => {
    try {
      await updateThread(thread.id, { projectId: home });
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await refresh();
  };
  const moving = useMutation({
    mutationFn: () => updateThread(thread.id, { projectId: chosen === NONE ? null : chosen }),
    onSuccess: async () => {
      onClose();
      const name = projects.find(({ id }) => id === chosen)?.name;
      showToast({
        title: name === undefined ? "Moved out of the project" : `Moved to ${name}`,
        onUndo: () => void moveBack(),
      });
      await refresh();
    },
  });
  return (
    <FormDialog
      title="Move thread"
      size="sm"
      submitLabel="Move"
      isValid={chosen !== (home ?? NONE)}
      isPending={moving.isPending}
      error={moving.error}
      onSubmit={() => moving.mutate()}
      onClose={onClose}
    >
      <Select
        label="Project"
        options={[{ id: NONE, name: "No project" }, ...projects]}
        value={chosen}
        onChange={setChosen}
      />
      <p className="text-xs text-muted">
        {chosen === NONE
          ? "Only you can then read the thread. The project's files stay with the project."
          : "All members of the project can read the thread. From then on it uses the project's files and memory; yours stay with you."}
      </p>
    </FormDialog>
  );
}

interface MoveThreadsProps {
  count: number;
  onMove: (project: { readonly id: string; readonly name: string }) => void;
  onClose: () => void;
}

/** Asks for the project that several threads move into. */
export function MoveThreads({ count, onMove, onClose }: MoveThreadsProps) {
  const projects = useWritableProjects();
  const [chosen, setChosen] = useState<string | null>(null);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  return (
    <FormDialog
      title={count === 1 ? "Move 1 thread" : `Move ${count} threads`}
      size="sm"
      submitLabel="Move"
      isValid={project !== undefined}
      onSubmit={() => {
        onClose();
        if (project !== undefined) onMove(project);
      }}
      onClose={onClose}
    >
      {project === undefined ? (
        <p className="text-sm">You can't write in any project yet. Create one above your threads first.</p>
      ) : (
        <>
          <Select label="Project" options={projects} value={project.id} onChange={setChosen} />
          <p className="text-xs text-muted">
            All members of the project can read the threads. From then on they use the project's files and memory; yours
            stay with you.
          </p>
        </>
      )}
    </FormDialog>
  );
}

function useWritableProjects() {
  const projects = useInfiniteQuery(projectsQuery(false)).data ?? [];
  return projects.flatMap(({ id, name, role }) => (role === "read" ? [] : [{ id, name }]));
}
