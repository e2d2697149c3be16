"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useForm } from "@/lib/client/forms/use-form";
import { TRACE_VIEWS_KEY } from "@/lib/client/http/query-keys";
import { createView, updateView } from "@/lib/client/trace/list/view-queries";
import { CreateTraceView, type TraceView } from "@/lib/schema/traces/list/trace-view";

const Name = CreateTraceView.pick({ name: true });

interface ViewDialogProps {
  onClose: () => void;
}

/** Saves the list as it is shown under a name. */
export function SaveViewDialog({ query, onClose }: ViewDialogProps & { query: string }) {
  const form = useNameForm({
    subject: "new-trace-view",
    name: "",
    save: ({ name }) => createView({ name, query }),
    onClose,
  });
  return (
    <FormDialog form={form} title="Save view" size="sm" submitLabel="Save" onClose={onClose}>
      <Field of={form} name="name" label="Name" autoFocus description="Keeps the filters, the order and the columns." />
    </FormDialog>
  );
}

export function RenameViewDialog({ view, onClose }: ViewDialogProps & { view: TraceView }) {
  const { id, name } = view;
  const form = useNameForm({ subject: `trace-view ${id}`, name, save: (change) => updateView(id, change), onClose });
  return (
    <FormDialog form={form} title={`Rename ${name}`} size="sm" submitLabel="Rename" onClose={onClose}>
      <Field of={form} name="name" label="Name" autoFocus />
    </FormDialog>
  );
}

interface NameForm extends ViewDialogProps {
  readonly subject: string;
  readonly name: string;
  readonly save: (body: { name: string }) => Promise<TraceView>;
}

function useNameForm({ subject, name, save, onClose }: NameForm) {
  const queryClient = useQueryClient();
  return useForm({
    subject,
    schema: Name,
    initial: { name },
    save,
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: TRACE_VIEWS_KEY });
      onClose();
    },
  });
}
