"use client";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { refusedFields } from "@/lib/client/forms/problems";
import { useForm } from "@/lib/client/forms/use-form";
import { changeProvider } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import type { Provider } from "@/lib/schema/provider";
import { NewProviderModel } from "@/lib/schema/providers/provider-requests";

/** A model that the provider does not list. */
export function NameModelDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const refresh = useProviderRefresh();
  const form = useForm({
    subject: `model-name ${provider.id}`,
    schema: NewProviderModel.pick({ id: true }),
    initial: { id: "" },
    save: ({ id }) => {
      const others = provider.models.filter((model) => model.id !== id);
      return changeProvider({ id: provider.id, change: { models: [...others, { id }] } });
    },
    // The list's problem is the new model's.
    refusedFields: (error) => new Map([...refusedFields(error).values()].slice(0, 1).map((text) => ["id", text])),
    onSaved: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title="Add a model by name" size="sm" submitLabel="Add model" onClose={onClose}>
      <Field
        of={form}
        name="id"
        label="Model"
        mono
        autoFocus
        description="As the provider's API calls it. It becomes one of those that people may choose."
      />
    </FormDialog>
  );
}
