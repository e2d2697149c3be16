"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { createProvider, testProvider } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { type Provider, ProviderKind } from "@/lib/schema/provider";
import type { CreateProviderBody } from "@/lib/schema/provider-requests";

interface KindFacts {
  readonly name: string;
  readonly description: string;
  /** The provider's own address, or an example of one. */
  readonly address: string;
  readonly needsAddress: boolean;
  readonly needsKey: boolean;
}

const KINDS: Readonly<Record<ProviderKind, KindFacts>> = {
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
const FIELDS = ["kind", "id", "name", "baseUrl", "apiKey"];

export interface AddProviderDialogProps {
  /** The environment's provider that the new one replaces. */
  shadowed: Provider | null;
  onAdded: (id: string) => void;
  onClose: () => void;
}

const KeptProvider = z.object({ kind: ProviderKind, name: z.string(), id: z.string(), baseUrl: z.string() });

/** A provider with its key. Once added, it is tested at once. A reload keeps what was typed, except the key. */
export function AddProviderDialog({ shadowed, onAdded, onClose }: AddProviderDialogProps) {
  const refresh = useProviderRefresh();
  const given = ProviderKind.safeParse(shadowed?.kind);
  const { form, set, forget } = useKeptForm(`provider ${shadowed?.id ?? "new"}`, KeptProvider, {
    kind: given.success ? given.data : "openai",
    name: "",
    id: shadowed?.id ?? "",
    baseUrl: shadowed?.baseUrl ?? "",
  });
  const { kind, name, id, baseUrl } = form;
  const [apiKey, setApiKey] = useState("");
  const facts = KINDS[kind];
  const add = useMutation({
    mutationFn: (typed: Typed) => createProvider(bodyOf(typed)),
    async onSuccess(provider) {
      forget();
      await refresh();
      onAdded(provider.id);
      // The page that opens shows the outcome.
      await testProvider({ id: provider.id, signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
      await refresh();
    },
  });
  const problems = problemsOf(add.error);
  const texts = { id, name, baseUrl, apiKey };
  // Text changed since is no longer the text the server refused.
  const field = (path: keyof typeof texts) => {
    const problem = add.variables?.[path] === texts[path] ? problems.get(path) : undefined;
    return fieldState(problem);
  };
  const hasOthers = [...problems.keys()].some((path) => !FIELDS.includes(path));
  return (
    <FormDialog
      title={shadowed ? `Put your own in the place of ${shadowed.name}` : "Add provider"}
      submitLabel="Add and test"
      isPending={add.isPending}
      error={problems.size > 0 && !hasOthers ? null : add.error}
      onSubmit={() => add.mutate({ kind, ...texts })}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      <Select
        label="Kind"
        options={OPTIONS}
        value={kind}
        onChange={(value) => set({ kind: ProviderKind.parse(value) })}
      />
      <TextField
        label="Key"
        type="password"
        autoComplete="off"
        value={apiKey}
        onChange={setApiKey}
        mono
        autoFocus
        description={
          facts.needsKey ? "It is stored encrypted and never shown again." : "Only if the server asks for one."
        }
        {...field("apiKey")}
      />
      <TextField
        label="Base URL"
        value={baseUrl}
        onChange={(text) => set({ baseUrl: text })}
        placeholder={facts.address}
        mono
        description={
          facts.needsAddress
            ? "Where its API is, usually ending in /v1."
            : "Leave empty for the provider's own address."
        }
        {...field("baseUrl")}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <TextField
          label="Name"
          value={name}
          onChange={(text) => set({ name: text })}
          placeholder={facts.name}
          {...field("name")}
        />
        <TextField
          label="Id"
          value={id}
          onChange={(text) => set({ id: text })}
          placeholder={kind}
          mono
          description="Models are named with it, as in id:model."
          isDisabled={shadowed !== null}
          {...field("id")}
        />
      </div>
    </FormDialog>
  );
}

type Typed = Readonly<Record<"id" | "name" | "baseUrl" | "apiKey", string>> & { readonly kind: ProviderKind };

/** The server chooses what was left empty. */
function bodyOf({ kind, ...texts }: Typed): CreateProviderBody {
  const filled = Object.entries(texts).filter(([, text]) => text.trim() !== "");
  return { kind, ...Object.fromEntries(filled) };
}

/** Each field's problem; a taken id is one of them. */
export function problemsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return error.code === "conflict" ? new Map([["id", error.message]]) : error.problems;
}

/** A refused field does not keep the browser from sending the form again. */
export function fieldState(problem: string | undefined) {
  const errorMessage = sentence(problem);
  return { isInvalid: errorMessage !== undefined, errorMessage, validationBehavior: "aria" as const };
}

/** "Is needed: …." */
export function sentence(problem: string | undefined): string | undefined {
  if (problem === undefined || problem === "") return undefined;
  const begun = problem.charAt(0).toUpperCase() + problem.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
