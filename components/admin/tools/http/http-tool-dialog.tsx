"use client";
import { z } from "zod";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { formSchema, typedJson } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { registerHttpTool } from "@/lib/client/tools/tool-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { RegisteredTool, RegisterToolBody } from "@/lib/schema/tools/http-tool";

const EXAMPLE = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const EFFECTS = [
  { id: "writes", name: "It changes something", description: "Permissions may ask before it runs" },
  { id: "reads", name: "It only reads", description: "It runs without asking, and again after a crash" },
];

const HttpToolForm = formSchema(
  z.object({
    name: z.string().trim(),
    description: z.string(),
    callback_url: z.string().trim(),
    parameters: typedJson(RegisterToolBody.shape.parameters),
    read_only: z.enum(["reads", "writes"]).transform((effect) => effect === "reads"),
    secret: z.string(),
    isSigned: z.boolean(),
    updated_at: z.string().nullable(),
  }),
  ({ secret, isSigned, ...fields }) => ({
    ...fields,
    // An empty one keeps what is stored.
    ...(secret !== "" ? { secret } : isSigned ? { secret: { set: true as const } } : {}),
  }),
  RegisterToolBody,
);

function formOf(tool?: RegisteredTool) {
  return {
    name: tool?.name ?? "",
    description: tool?.description ?? "",
    callback_url: tool?.callback_url ?? "",
    parameters: JSON.stringify(tool?.parameters ?? EXAMPLE, null, 2),
    read_only: tool?.read_only ? ("reads" as const) : ("writes" as const),
    secret: "",
    isSigned: tool?.signed ?? false,
    updated_at: tool?.updated_at ?? null,
  };
}

const Conflict = z.object({ current: RegisteredTool });

/** A callback with its schema and signing secret, which is never shown again. A reload keeps the rest. */
export function HttpToolDialog({ tool, onClose }: { tool?: RegisteredTool; onClose: () => void }) {
  const form = useForm({
    subject: `http-tool ${tool?.name ?? ""}`,
    schema: HttpToolForm,
    initial: formOf(tool),
    save: registerHttpTool,
    invalidates: [TOOLS_KEY],
    onSaved: (saved) => {
      showToast({ title: `Saved ${saved.name}` });
      onClose();
    },
    conflict: {
      name: tool?.name ?? "it",
      theirs: (details) => {
        const { data } = Conflict.safeParse(details);
        return data && tool ? formOf(data.current) : null;
      },
    },
  });
  return (
    <FormDialog
      form={form}
      title={tool ? `Edit ${tool.name}` : "New callback"}
      submitLabel={tool ? "Save" : "Create tool"}
      onClose={onClose}
    >
      {tool ? null : (
        <Field
          of={form}
          name="name"
          label="Name"
          description="The model calls it by this name: small letters, digits and _."
          mono
          isRequired
          autoFocus
        />
      )}
      <Field
        of={form}
        name="description"
        label="Description"
        description="The model reads what it does and when to use it."
        rows={2}
        isRequired
      />
      <Field of={form} name="callback_url" label="URL" placeholder="https://example.org/weather" mono isRequired />
      <Field of={form} name="parameters" label="Arguments as JSON Schema" rows={6} mono />
      <SelectField of={form} name="read_only" label="Effect" options={EFFECTS} />
      <Field
        of={form}
        name="secret"
        label="Signing secret"
        description={
          form.values.isSigned
            ? "Calls are signed. Leave this empty to keep the secret."
            : "Signed calls carry x-ringmaster-signature, which your server checks."
        }
        mono
      />
    </FormDialog>
  );
}
