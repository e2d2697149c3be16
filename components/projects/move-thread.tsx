"use client";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "@/components/ui/controls/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { updateThread } from "@/lib/client/chat/threads/thread-actions";
import { FILES_KEY, PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ThreadSummary } from "@/lib/schema/threads/thread";

const NONE = "none";

/** Moves a thread into a project or out of one. */
export function MoveThread({ thread, onClose }: { thread: ThreadSummary; onClose: () => void }) {
  const queryClient = useQueryClient();
  const projects = (useInfiniteQuery(projectsQuery(false)).data ?? []).filter(({ role }) => role !== "read");
  const [chosen, setChosen] = useState(thread.project?.id ?? NONE);
  const moving = useMutation({
    mutationFn: () => updateThread(thread.id, { projectId: chosen === NONE ? null : chosen }),
    onSuccess: async () => {
      onClose();
      showToast({ title: chosen === NONE ? "Moved out of the project" : "Moved" });
      for (const queryKey of [THREADS_KEY, PROJECTS_KEY, FILES_KEY]) await queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <FormDialog
      title="Move thread"
      size="sm"
      submitLabel="Move"
      isValid={chosen !== (thread.project?.id ?? NONE)}
      isPending={moving.isPending}
      error={moving.error}
      onSubmit={() => moving.mutate()}
      onClose={onClose}
    >
      <Select
        label="Project"
        options={[{ id: NONE, name: "No project" }, ...projects.map(({ id, name }) => ({ id, name }))]}
        value={chosen}
        onChange={setChosen}
      />
      <p className="text-xs text-muted">
        {chosen === NONE
          ? "Only you read the thread then. Files of the project stay there."
          : "All members of the project read the thread. It works with the project's files and memory from then on; yours stay with you."}
      </p>
    </FormDialog>
  );
}
