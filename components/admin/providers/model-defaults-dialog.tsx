"use client";
import { useMutation } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { z } from "zod";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { changeModelDefaults } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import type { ProviderList } from "@/lib/schema/provider";
import type { ModelDefaults } from "@/lib/schema/provider-figures";

export interface ModelDefaultsDialogProps {
  list: ProviderList;
  defaults: ModelDefaults;
  onClose: () => void;
}

const FIRST = "first";
const NONE = "none";
const MOST_FALLBACKS = 5;

const KeptDefaults = z.object({ model: z.string().nullable(), fallbacks: z.array(z.string()) });

/** Chooses what answers if an agent names no model. A reload keeps the choice. */
export function ModelDefaultsDialog({ list, defaults, onClose }: ModelDefaultsDialogProps) {
  const refresh = useProviderRefresh();
  const { fixedBy, resolved } = defaults;
  const { form, set, forget } = useKeptForm("model-defaults", KeptDefaults, {
    model: defaults.model?.endsWith(":") ? resolved : defaults.model,
    fallbacks: [...defaults.fallbacks],
  });
  const { model, fallbacks } = form;
  const close = () => {
    forget();
    onClose();
  };
  const change = useMutation({
    mutationFn: () =>
      changeModelDefaults({
        ...(fixedBy === null ? { model } : {}),
        fallbacks,
      }),
    onSuccess: async () => {
      await refresh();
      close();
    },
  });
  const problems = change.error instanceof ApiError ? change.error.problems : new Map<string, string>();
  const offered = list.providers.flatMap(({ id, offered: models }) => models.map((name) => `${id}:${name}`));
  const named = [model, ...fallbacks].flatMap((name) => (name === null || offered.includes(name) ? [] : [name]));
  const options = [...new Set([...offered, ...named])].map((id) => ({ id, name: id }));
  return (
    <FormDialog
      title="Default model"
      size="sm"
      submitLabel="Save"
      isPending={change.isPending}
      error={problems.size > 0 ? null : change.error}
      onSubmit={() => change.mutate()}
      onClose={close}
    >
      <Select
        label="Default"
        options={[
          { id: FIRST, name: "The first provider's first model" },
          ...options.map((option) => ({ ...option, description: undefined })),
        ]}
        value={model ?? FIRST}
        onChange={(id) => set({ model: id === FIRST ? null : id })}
        isDisabled={fixedBy !== null}
        isInvalid={problems.has("model")}
        errorMessage={problems.get("model")}
      />
      {fixedBy === null ? null : (
        <p className="text-xs text-muted">{fixedBy} decides. Remove it and restart to choose here.</p>
      )}
      <FallbackFields
        options={options}
        fallbacks={fallbacks}
        onChange={(names) => set({ fallbacks: [...names] })}
        problems={problems}
      />
      <p className="text-xs text-muted">Agents that name a model keep it, and their own fallbacks.</p>
    </FormDialog>
  );
}

interface FallbackFieldsProps {
  options: readonly { readonly id: string; readonly name: string }[];
  fallbacks: readonly string[];
  onChange: (fallbacks: readonly string[]) => void;
  problems: ReadonlyMap<string, string>;
}

/** One field per fallback, in the order in which they are tried, and an empty one for the next. */
function FallbackFields({ options, fallbacks, onChange, problems }: FallbackFieldsProps) {
  const fields = fallbacks.length < MOST_FALLBACKS ? [...fallbacks, NONE] : fallbacks;
  return fields.map((chosen, index) => {
    const others = fallbacks.filter((name) => name !== chosen);
    const nothing = { id: NONE, name: index === fallbacks.length ? "Nothing else: the run fails" : "Leave this out" };
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place in the order
      <div key={index} className="flex items-end gap-1">
        <span className="min-w-0 flex-1">
          <Select
            label={index === 0 ? "If it fails" : `If fallback ${index} fails too`}
            options={[nothing, ...options.filter(({ id }) => !others.includes(id))]}
            value={chosen}
            onChange={(id) =>
              onChange(fields.map((name, at) => (at === index ? id : name)).filter((it) => it !== NONE))
            }
            isInvalid={problems.has(`fallbacks.${index}`)}
            errorMessage={problems.get(`fallbacks.${index}`)}
          />
        </span>
        {index > 0 && chosen !== NONE ? (
          <IconButton label={`Ask ${chosen} earlier`} onPress={() => onChange(swapWithBefore(fallbacks, index))}>
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
