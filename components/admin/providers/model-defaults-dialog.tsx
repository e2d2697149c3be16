"use client";
import { ArrowUp } from "lucide-react";
import { z } from "zod";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { problemOf } from "@/lib/client/forms/problems";
import { typedNullable } from "@/lib/client/forms/typed";
import { useField } from "@/lib/client/forms/use-field";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { changeModelDefaults } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import type { ProviderList } from "@/lib/schema/provider";
import type { ModelDefaults } from "@/lib/schema/providers/provider-figures";
import { ChangeModelDefaultsBody } from "@/lib/schema/providers/provider-requests";

export interface ModelDefaultsDialogProps {
  list: ProviderList;
  defaults: ModelDefaults;
  onClose: () => void;
}

/** No model: the first provider's first one. */
const FIRST = "";
const NONE = "none";
const MOST_FALLBACKS = 5;

const { model, fallbacks } = ChangeModelDefaultsBody.required().shape;
const DefaultsForm = z.object({ model: typedNullable(model), fallbacks });
type DefaultsForm = z.input<typeof DefaultsForm>;

/** Chooses what answers if an agent names no model. A reload keeps the choice. */
export function ModelDefaultsDialog({ list, defaults, onClose }: ModelDefaultsDialogProps) {
  const refresh = useProviderRefresh();
  const { fixedBy, resolved } = defaults;
  const form = useForm({
    subject: "model-defaults",
    schema: DefaultsForm,
    initial: {
      model: (defaults.model?.endsWith(":") ? resolved : defaults.model) ?? FIRST,
      fallbacks: [...defaults.fallbacks],
    },
    save: ({ model, ...others }) => changeModelDefaults(fixedBy === null ? { model, ...others } : others),
    onSaved: async () => {
      await refresh();
      onClose();
    },
  });
  const chosen = [form.values.model, ...form.values.fallbacks].filter((name) => name !== FIRST);
  const offered = list.providers.flatMap(({ id, offered: models }) => models.map((name) => `${id}:${name}`));
  const options = [...new Set([...offered, ...chosen])].map((id) => ({ id, name: id }));
  return (
    <FormDialog form={form} title="Default model" size="sm" submitLabel="Save" onClose={onClose}>
      <SelectField
        of={form}
        name="model"
        label="Default"
        options={[{ id: FIRST, name: "The first provider's first model" }, ...options]}
        isDisabled={fixedBy !== null}
      />
      {fixedBy === null ? null : (
        <p className="text-xs text-muted">{fixedBy} decides. Remove it and restart to choose here.</p>
      )}
      <FallbackFields form={form} options={options} />
      <p className="text-xs text-muted">Agents that name a model keep it, and their own fallbacks.</p>
    </FormDialog>
  );
}

interface FallbackFieldsProps {
  form: Form<DefaultsForm>;
  options: readonly { readonly id: string; readonly name: string }[];
}

/** One field per fallback, in the order in which they are tried, and an empty one for the next. */
function FallbackFields({ form, options }: FallbackFieldsProps) {
  useField(form, "fallbacks");
  const { fallbacks } = form.values;
  const fields = fallbacks.length < MOST_FALLBACKS ? [...fallbacks, NONE] : fallbacks;
  return fields.map((chosen, index) => {
    const others = fallbacks.filter((name) => name !== chosen);
    const nothing = { id: NONE, name: index === fallbacks.length ? "Nothing else: the run fails" : "Leave this out" };
    const problem = problemOf(form.problems, `fallbacks.${index}`);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place in the order
      <div key={index} className="flex items-end gap-1">
        <span className="min-w-0 flex-1">
          <Select
            label={index === 0 ? "If it fails" : `If fallback ${index} fails too`}
            options={[nothing, ...options.filter(({ id }) => !others.includes(id))]}
            value={chosen}
            onChange={(id) =>
              form.set(
                "fallbacks",
                fields.with(index, id).filter((it) => it !== NONE),
              )
            }
            isInvalid={problem !== undefined}
            errorMessage={problem}
          />
        </span>
        {index > 0 && chosen !== NONE ? (
          <IconButton
            label={`Ask ${chosen} earlier`}
            onPress={() => form.set("fallbacks", swapWithBefore(fallbacks, index))}
          >
            <ArrowUp />
          </IconButton>
        ) : null}
      </div>
    );
  });
}

function swapWithBefore(names: readonly string[], index: number): string[] {
  const moved = names.slice(index - 1, index + 1).reverse();
  return [...names.slice(0, index - 1), ...moved, ...names.slice(index + 1)];
}
