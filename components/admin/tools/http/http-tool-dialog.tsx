"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { registerHttpTool } from "@/lib/client/tools/tool-queries";
import { conflictWords, mergeForms } from "@/lib/client/ui/input/merge-forms";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { RegisteredTool } from "@/lib/schema/tools/http-tool";

const EXAMPLE = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const EFFECTS = [
  { id: "writes", name: "It changes something", description: "Permissions may ask before it runs" },
  { id: "reads", name: "It only reads", description: "It runs without asking, and again after a crash" },
];

const ToolForm = z.object({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  schema: z.string(),
  effect: z.enum(["reads", "writes"]),
});
type ToolForm = z.infer<typeof ToolForm>;
/** `base`: the tool the form was opened with, so that a save since then is detected even after a reload. */
const KeptTool = z.object({ form: ToolForm, base: RegisteredTool.nullable() });

function newToolForm(tool?: RegisteredTool): ToolForm {
  return {
    name: tool?.name ?? "",
    description: tool?.description ?? "",
    url: tool?.callback_url ?? "",
    schema: JSON.stringify(tool?.parameters ?? EXAMPLE, null, 2),
    effect: tool?.read_only ? "reads" : "writes",
  };
}

const FIELD_WORDS: Readonly<Record<keyof ToolForm, string>> = {
  name: "Name",
  description: "Description",
  url: "URL",
  schema: "Arguments",
  effect: "Effect",
};

const ConflictDetails = z.object({ current: RegisteredTool });

/** The tool as another person has saved it; null for every other error. */
function currentOf(error: unknown): RegisteredTool | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null;
  return ConflictDetails.safeParse(error.details).data?.current ?? null;
}

/** A callback with its schema and signing secret, which is never shown again. A reload keeps the rest. */
export function HttpToolDialog({ tool: opened, onClose }: { tool?: RegisteredTool; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<string | null>(null);
  const kept = useRemembered(`http-tool ${opened?.name ?? ""}`, KeptTool);
  const tool = kept.value?.base ?? opened;
  const form = kept.value?.form ?? newToolForm(tool);
  const set = (change: Partial<ToolForm>) => kept.set({ form: { ...form, ...change }, base: tool ?? null });
  const { name, description, url, schema, effect } = form;
  const [secret, setSecret] = useState("");
  const close = () => {
    kept.forget();
    onClose();
  };
  const parameters = readJsonObject(schema);
  const save = useMutation({
    mutationFn: () =>
      registerHttpTool({
        name: name.trim(),
        description: description.trim(),
        parameters: parameters ?? {},
        callback_url: url.trim(),
        read_only: effect === "reads",
        updated_at: tool?.updated_at ?? null,
        ...(secret === "" ? (tool?.signed ? { secret: { set: true } } : {}) : { secret }),
      }),
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: TOOLS_KEY });
      showToast({ title: `Saved ${saved.name}` });
      close();
    },
    onError: (error) => {
      const theirs = currentOf(error);
      setConflict(null);
      if (!tool || !theirs) return;
      const merged = mergeForms(newToolForm(tool), form, newToolForm(theirs));
      kept.set({ form: merged.form, base: theirs });
      setConflict(
        conflictWords(
          theirs.name,
          merged.overlaps.map((field) => FIELD_WORDS[field]),
        ),
      );
    },
  });
  const problems = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const problemOf = (field: string) => {
    const message = [...problems].find(([path]) => path === field || path.startsWith(`${field}.`))?.[1];
    return message === undefined ? {} : { isInvalid: true, errorMessage: message };
  };
  return (
    <FormDialog
      title={tool ? `Edit ${tool.name}` : "New HTTP tool"}
      submitLabel={tool ? "Save" : "Create tool"}
      isValid={parameters !== null}
      isPending={save.isPending}
      error={problems.size > 0 || conflict !== null ? undefined : save.error}
      onSubmit={() => save.mutate()}
      onClose={close}
      after={
        conflict === null ? null : (
          <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm text-limit-text">
            {conflict}
          </p>
        )
      }
    >
      {tool ? null : (
        <TextField
          label="Name"
          description="Small letters, digits and _: what the model calls."
          value={name}
          onChange={(next) => set({ name: next })}
          {...problemOf("name")}
          mono
          isRequired
          autoFocus
        />
      )}
      <TextField
        label="Description"
        description="Read by the model: what it does and when to use it."
        rows={2}
        value={description}
        onChange={(next) => set({ description: next })}
        {...problemOf("description")}
        isRequired
      />
      <TextField
        label="URL"
        placeholder="https://example.org/weather"
        value={url}
        onChange={(next) => set({ url: next })}
        {...problemOf("callback_url")}
        mono
        isRequired
      />
      <TextField
        label="Arguments as JSON Schema"
        rows={6}
        value={schema}
        onChange={(next) => set({ schema: next })}
        {...(parameters === null
          ? { isInvalid: true, errorMessage: "This is not a JSON object." }
          : problemOf("parameters"))}
        mono
      />
      <Select
        label="Effect"
        options={EFFECTS}
        value={effect}
        onChange={(id) => set({ effect: id === "reads" ? "reads" : "writes" })}
      />
      <TextField
        label="Signing secret"
        type="password"
        autoComplete="off"
        description={
          tool?.signed
            ? "Calls are signed. Leave this empty to keep the secret."
            : "Calls then have x-ringmaster-signature, which your server checks."
        }
        value={secret}
        onChange={setSecret}
        {...problemOf("secret")}
        mono
      />
    </FormDialog>
  );
}
