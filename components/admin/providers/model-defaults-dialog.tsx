"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Select } from "@/components/ui/controls/select";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { changeModelDefaults } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import type { ModelDefaults, ProviderList } from "@/lib/schema/provider";

export interface ModelDefaultsDialogProps {
  list: ProviderList;
  defaults: ModelDefaults;
  onClose: () => void;
}

const FIRST = "first";
const NONE = "none";

/** Chooses what answers where an agent names no model. */
export function ModelDefaultsDialog({ list, defaults, onClose }: ModelDefaultsDialogProps) {
  const refresh = useProviderRefresh();
  const { fixedBy, resolved } = defaults;
  const [model, setModel] = useState(defaults.model?.endsWith(":") ? resolved : defaults.model);
  const [fallback, setFallback] = useState(defaults.fallbacks[0] ?? null);
  const change = useMutation({
    mutationFn: () =>
      changeModelDefaults({
        ...(fixedBy === null ? { model } : {}),
        fallbacks: fallback === null ? [] : [fallback, ...defaults.fallbacks.slice(1).filter((it) => it !== fallback)],
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  const problems = change.error instanceof ApiError ? change.error.problems : new Map<string, string>();
  const offered = list.providers.flatMap(({ id, offered: models }) => models.map((name) => `${id}:${name}`));
  const named = [model, fallback].flatMap((name) => (name === null || offered.includes(name) ? [] : [name]));
  const options = [...new Set([...offered, ...named])].map((id) => ({ id, name: id }));
  return (
    <FormDialog
      title="Default model"
      size="sm"
      submitLabel="Save"
      isPending={change.isPending}
      error={problems.size > 0 ? null : change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Select
        label="Default"
        options={[
          { id: FIRST, name: "The first provider's first model" },
          ...options.map((option) => ({ ...option, description: undefined })),
        ]}
        value={model ?? FIRST}
        onChange={(id) => setModel(id === FIRST ? null : id)}
        isDisabled={fixedBy !== null}
        isInvalid={problems.has("model")}
        errorMessage={problems.get("model")}
      />
      {fixedBy === null ? null : (
        <p className="text-xs text-muted">{fixedBy} decides. Remove it and restart to choose here.</p>
      )}
      <Select
        label="If it fails"
        options={[{ id: NONE, name: "Nothing else: the run fails" }, ...options]}
        value={fallback ?? NONE}
        onChange={(id) => setFallback(id === NONE ? null : id)}
        isInvalid={problems.has("fallbacks.0")}
        errorMessage={problems.get("fallbacks.0")}
      />
      <p className="text-xs text-muted">Agents that name a model keep it, and their own fallbacks.</p>
    </FormDialog>
  );
}
