"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { removeMember, setMember } from "@/lib/client/projects/project-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { type Project, type ProjectMember, SetMemberBody } from "@/lib/schema/projects/project";
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

/** A member has an id, a new one an address. */
const MemberForm = formSchema(
  z.object({ userId: z.string().optional(), email: z.string().trim(), role: ProjectRole }),
  ({ userId, email, role }) => (userId === undefined ? { email, role } : { userId, role }),
  SetMemberBody,
);

/** Adds a member, changes their role, or removes them after stating the consequences. */
export function EditMember({ project, member, isSelf, onClose }: EditMemberProps) {
  const [isRemoving, setRemoving] = useState(false);
  const mayChange = project.role === "owner";
  const form = useForm({
    subject: `member ${project.id} ${member?.userId ?? "new"}`,
    schema: MemberForm,
    initial: { userId: member?.userId, email: "", role: member?.role ?? "read" },
    save: (body) => setMember(project.id, body),
    invalidates: [PROJECTS_KEY],
    onSaved: onClose,
  });
  if (isRemoving && member !== null) return <RemoveMember {...{ project, member, isSelf, onClose }} />;
  return (
    <FormDialog
      form={form}
      title={member === null ? "Add a member" : member.name}
      size="sm"
      submitLabel={member === null ? "Add" : "Save"}
      isValid={mayChange && (member === null || form.isDirty)}
      onClose={onClose}
    >
      {member === null ? <Field of={form} name="email" label="Email address" autoFocus /> : null}
      <SelectField of={form} name="role" label="Role" options={ROLES} isDisabled={!mayChange} />
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
      {`${isSelf ? "You lose" : `${name} loses`} access to the project's threads and files. ${stoppedText(openRuns, isSelf)}${isSelf ? "Threads you" : "Threads they"} started stay with the project.`}
    </ConfirmDialog>
  );
}

/** What becomes of the person's open runs; empty if there are none. */
function stoppedText(count: number, isSelf: boolean): string {
  if (count === 0) return "";
  const whose = isSelf ? "Your" : "Their";
  return count === 1 ? `${whose} run here will be stopped. ` : `${whose} ${count} runs here will be stopped. `;
}

function countRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
