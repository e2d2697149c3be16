"use client";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useForm } from "@/lib/client/forms/use-form";
import { changeProvider } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import type { Provider } from "@/lib/schema/provider";
import { ChangeProviderBody } from "@/lib/schema/providers/provider-requests";

const RenameBody = ChangeProviderBody.pick({ name: true }).required();

/** A provider's name; agents name its models with its id. */
export function RenameProviderDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const refresh = useProviderRefresh();
  const form = useForm({
    subject: `provider-name ${provider.id}`,
    schema: RenameBody,
    initial: { name: provider.name },
    save: (change) => changeProvider({ id: provider.id, change }),
    onSaved: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={`Rename ${provider.name}`} size="sm" submitLabel="Rename" onClose={onClose}>
      <Field
        of={form}
        name="name"
        label="Name"
        autoFocus
        description={`Its id stays ${provider.id}: agents name their models with it.`}
      />
    </FormDialog>
  );
}
