"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { removeMember, setMember } from "@/lib/client/projects/project-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Project, ProjectMember } from "@/lib/schema/projects/project";
import { ProjectRole } from "@/lib/schema/projects/thread-project";

const ROLES = [
  { id: "read", name: "Reads", description: "Threads and files" },
  { id: "write", name: "Writes", description: "Also starts threads, sends messages and changes files" },
  { id: "owner", name: "Owner", description: "Also changes the project and its members" },
] as const;

interface EditMemberProps {
  project: Project;
  /** Null for a new one. */
  member: ProjectMember | null;
  isSelf: boolean;
  onClose: () => void;
}

/** Adds a member, changes their role, or removes them after stating the consequences. */
export function EditMember({ project, member, isSelf, onClose }: EditMemberProps) {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<ProjectRole>(member?.role ?? "read");
  const [isRemoving, setRemoving] = useState(false);
  const mayChange = project.role === "owner";
  const refresh = () => queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
  const saving = useMutation({
    mutationFn: () =>
      setMember(project.id, { ...(member ? { userId: member.userId } : { email: email.trim() }), role }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  if (isRemoving && member !== null) return <RemoveMember {...{ project, member, isSelf, onClose }} />;
  const problems = saving.error instanceof ApiError ? saving.error.problems : new Map<string, string>();
  return (
    <FormDialog
      title={member === null ? "Add a member" : member.name}
      size="sm"
      submitLabel={member === null ? "Add" : "Save"}
      isValid={mayChange && (member === null ? email.trim() !== "" : role !== member.role)}
      isPending={saving.isPending}
      error={problems.size > 0 ? undefined : saving.error}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {member === null ? (
        <TextField
          label="Email address"
          autoFocus
          value={email}
          onChange={(value) => {
            setEmail(value);
            saving.reset();
          }}
          isInvalid={problems.has("email")}
          errorMessage={problems.get("email")}
        />
      ) : null}
      <Select
        label="Role"
        options={ROLES}
        value={role}
        isDisabled={!mayChange}
        onChange={(id) => setRole(ProjectRole.parse(id))}
      />
      {member === null ? null : (
        <Button variant="danger-ghost" className="-ml-2.5 self-start" onPress={() => setRemoving(true)}>
          {isSelf ? "Leave the project" : "Remove from the project"}
        </Button>
      )}
    </FormDialog>
  );
}

function RemoveMember({ project, member, isSelf, onClose }: EditMemberProps & { member: ProjectMember }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { userId, name, openRuns } = member;
  const remove = async () => {
    try {
      const { stoppedRuns } = await removeMember(project.id, userId);
      const stopped = stoppedRuns === 0 ? "" : `, ${countRuns(stoppedRuns)} stopped`;
      showToast({ title: isSelf ? `You left ${project.name}` : `${name} was removed${stopped}` });
      if (isSelf) router.push("/");
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
  };
  return (
    <ConfirmDialog
      title={isSelf ? "Leave the project" : `Remove ${name}`}
      confirmLabel={isSelf ? "Leave" : "Remove"}
      isOpen
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {`${isSelf ? "You lose" : `${name} loses`} access to the project's threads and files. ${stoppedWords(openRuns, isSelf)}${isSelf ? "Threads you" : "Threads they"} started stay with the project.`}
    </ConfirmDialog>
  );
}

/** What becomes of the person's open runs; empty if there are none. */
function stoppedWords(count: number, isSelf: boolean): string {
  if (count === 0) return "";
  const whose = isSelf ? "Your" : "Their";
  return count === 1 ? `${whose} run here will be stopped. ` : `${whose} ${count} runs here will be stopped. `;
}

function countRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
