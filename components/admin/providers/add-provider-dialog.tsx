"use client";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { refusedFields } from "@/lib/client/forms/problems";
import { typedOptional } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { ApiError } from "@/lib/client/http/api";
import { createProvider, testProvider } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import { type Provider, ProviderKind } from "@/lib/schema/provider";
import { CreateProviderBody } from "@/lib/schema/providers/provider-requests";

interface KindTraits {
  readonly name: string;
  readonly description: string;
  /** The provider's own address, or an example of one. */
  readonly address: string;
  readonly needsAddress: boolean;
  readonly needsKey: boolean;
}

const KINDS: Readonly<Record<ProviderKind, KindTraits>> = {
  openai: {
    name: "OpenAI",
    description: "GPT models",
    address: "https://api.openai.com/v1",
    needsAddress: false,
    needsKey: true,
  },
  anthropic: {
    name: "Anthropic",
    description: "Claude models",
    address: "https://api.anthropic.com/v1",
    needsAddress: false,
    needsKey: true,
  },
  google: {
    name: "Google",
    description: "Gemini models",
    address: "https://generativelanguage.googleapis.com/v1beta",
    needsAddress: false,
    needsKey: true,
  },
  "openai-compatible": {
    name: "OpenAI-compatible",
    description: "vLLM, LM Studio, OpenRouter, any server with /chat/completions",
    address: "http://gpu-01:8000/v1",
    needsAddress: true,
    needsKey: false,
  },
  ollama: {
    name: "Ollama",
    description: "Models on this or another machine",
    address: "http://127.0.0.1:11434/v1",
    needsAddress: false,
    needsKey: false,
  },
};

const OPTIONS = ProviderKind.options.map((id) => ({ id, name: KINDS[id].name, description: KINDS[id].description }));

const { shape } = CreateProviderBody;
/** The server chooses what is left empty. */
const ProviderForm = CreateProviderBody.extend({
  id: typedOptional(shape.id),
  name: typedOptional(shape.name),
  baseUrl: typedOptional(shape.baseUrl),
  apiKey: typedOptional(shape.apiKey),
});

export interface AddProviderDialogProps {
  /** The environment's provider that the new one replaces. */
  shadowed: Provider | null;
  onAdded: (id: string) => void;
  onClose: () => void;
}

/** A provider with its key. Once added, it is tested at once. A reload keeps what was typed, except the key. */
export function AddProviderDialog({ shadowed, onAdded, onClose }: AddProviderDialogProps) {
  const refresh = useProviderRefresh();
  const given = ProviderKind.safeParse(shadowed?.kind);
  const form = useForm({
    subject: `provider ${shadowed?.id ?? "new"}`,
    schema: ProviderForm,
    initial: {
      kind: given.success ? given.data : "openai",
      name: "",
      id: shadowed?.id ?? "",
      baseUrl: shadowed?.baseUrl ?? "",
      apiKey: "",
    },
    save: createProvider,
    refusedFields: (error) =>
      error instanceof ApiError && error.code === "conflict" ? new Map([["id", error.message]]) : refusedFields(error),
    onSaved: async ({ id }) => {
      await refresh();
      onAdded(id);
      // The page that opens shows the outcome.
      await testProvider({ id, signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
      await refresh();
    },
  });
  const { kind } = form.values;
  const facts = KINDS[kind];
  return (
    <FormDialog
      form={form}
      title={shadowed ? `Put your own in the place of ${shadowed.name}` : "Add provider"}
      submitLabel="Add and test"
      onClose={onClose}
    >
      <SelectField of={form} name="kind" label="Kind" options={OPTIONS} />
      <Field
        of={form}
        name="apiKey"
        label="Key"
        mono
        autoFocus
        description={
          facts.needsKey ? "It is stored encrypted and never shown again." : "Only if the server asks for one."
        }
      />
      <Field
        of={form}
        name="baseUrl"
        label="Base URL"
        placeholder={facts.address}
        mono
        description={
          facts.needsAddress
            ? "Where its API is, usually ending in /v1."
            : "Leave empty for the provider's own address."
        }
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field of={form} name="name" label="Name" placeholder={facts.name} />
        <Field
          of={form}
          name="id"
          label="Id"
          placeholder={kind}
          mono
          description="Models are named with it, as in id:model."
          isDisabled={shadowed !== null}
        />
      </div>
    </FormDialog>
  );
}
