"use client";
import { useMutation } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { TextField } from "@/components/ui/controls/text-field";
import { Field } from "@/components/ui/form/field";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { tryMasking } from "@/lib/client/settings/settings-queries";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { ChangeSettingsBody, type MaskingRule } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const NEW_RULE: MaskingRule = { name: "", pattern: "", replacement: "[masked]" };

/** Rules that hide parts of texts in traces, their exports and the log. */
export function MaskingSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({
    name: "masking",
    schema: ChangeSettingsBody,
    settings,
    valuesOf: ({ masking }) => ({ masking }),
  });
  const rules = form.values.masking?.rules ?? [];
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="Every rule is applied, in this order, to texts in traces, their titles and exports, and to the log. Threads keep the original, and so does what the model reads. Patterns are RE2; $1 in the replacement is what the first group matched.">
        {rules.length === 0 ? <p className="text-sm">No rules: nothing is masked but keys and passwords.</p> : null}
        {rules.map((rule, index) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place.
            key={index}
            aria-label={rule.name === "" ? `Rule ${index + 1}` : `Rule ${rule.name}`}
            className="grid grid-cols-[1fr_1.6fr_1fr_auto] items-start gap-2 rounded-lg border border-border p-3 max-sm:grid-cols-1"
          >
            <Field of={form} name={`masking.rules.${index}.name`} label="Name" maxLength={60} />
            <Field of={form} name={`masking.rules.${index}.pattern`} label="Pattern" mono maxLength={1_000} />
            <Field of={form} name={`masking.rules.${index}.replacement`} label="Replacement" mono maxLength={200} />
            <IconButton
              label={`Remove ${rule.name === "" ? `rule ${index + 1}` : rule.name}`}
              className="mt-5 max-sm:mt-0"
              onPress={() => form.set("masking.rules", rules.toSpliced(index, 1))}
            >
              <X />
            </IconButton>
          </fieldset>
        ))}
        <div>
          <Button variant="outline" onPress={() => form.set("masking.rules", [...rules, NEW_RULE])}>
            <Plus aria-hidden /> Add rule
          </Button>
        </div>
        <TryBox rules={rules} />
      </SectionBody>
    </SettingsFrame>
  );
}

/** A rule can be tried before it has a name. */
function named(rules: readonly MaskingRule[]): MaskingRule[] {
  const numbered = rules.map((rule, index) => ({ ...rule, name: rule.name.trim() || `Rule ${index + 1}` }));
  return numbered.filter(({ pattern }) => pattern !== "");
}

/** Tries the rules as typed, before anything is saved. */
function TryBox({ rules }: { rules: readonly MaskingRule[] }) {
  const [text, setText] = useState("");
  const attempt = useMutation({ mutationFn: () => tryMasking({ text, rules: named(rules) }) });
  const { data, error } = attempt;
  const told = error instanceof ApiError && error.problems.size > 0 ? [...error.problems.values()].join("; ") : null;
  return (
    <section aria-label="Try the rules" className="flex flex-col gap-2 border-t border-separator pt-4">
      <TextField
        label="Try the rules on a text"
        rows={3}
        mono
        value={text}
        onChange={setText}
        placeholder="Paste a line that must not be seen"
        description="Nothing is stored. The rules need not be saved first."
      />
      <div>
        <Button isDisabled={text === ""} isPending={attempt.isPending} onPress={() => attempt.mutate()}>
          Try
        </Button>
      </div>
      {error ? (
        <p role="alert" className="text-sm text-fail-text">
          {told ?? errorMessage(error)}
        </p>
      ) : null}
      {data ? (
        <div role="status">
          <p className="text-xs text-muted">
            {data.hits.length === 0
              ? "No rule matched."
              : data.hits
                  .map(({ name, count }) => `${name}: ${count === 1 ? "1 match" : `${count} matches`}`)
                  .join(", ")}
          </p>
          <pre className="mt-1 rounded-md border border-border bg-code px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap">
            {data.text}
          </pre>
        </div>
      ) : null}
    </section>
  );
}
