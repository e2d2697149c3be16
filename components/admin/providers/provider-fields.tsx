"use client";
import { useId, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { z } from "zod";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Switch } from "@/components/ui/controls/switch";
import { FIELD_LABEL } from "@/components/ui/controls/text-field";
import { Field } from "@/components/ui/form/field";
import { PageForm } from "@/components/ui/form/page-form";
import { Time } from "@/components/ui/time";
import { refusedFields } from "@/lib/client/forms/problems";
import { typedNullable, typedOptional } from "@/lib/client/forms/typed";
import { useField } from "@/lib/client/forms/use-field";
import { type SentForm, useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { changeProvider } from "@/lib/client/providers/provider-queries";
import { useProviderChange, useProviderRefresh } from "@/lib/client/providers/use-providers";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Provider } from "@/lib/schema/provider";
import { ChangeProviderBody } from "@/lib/schema/providers/provider-requests";
import { Role } from "@/lib/schema/users/user";
import { DialectField } from "./dialect-field";

/** Key, address and roles; those from the environment can't be changed here. */
export function ProviderFields({ provider }: { provider: Provider }) {
  if (provider.source !== "database") return <FromElsewhere provider={provider} />;
  return (
    <div className="grid grid-cols-3 items-start gap-4 px-5 pb-4 max-xl:grid-cols-1 max-xl:gap-3 max-sm:px-4">
      <KeyField provider={provider} />
      <AddressField provider={provider} />
      <div className="flex flex-col gap-2">
        <RolesField provider={provider} />
        <AnyAgentField provider={provider} />
      </div>
      <DialectField provider={provider} />
    </div>
  );
}

function FromElsewhere({ provider: { id, variable, baseUrl, source } }: { provider: Provider }) {
  if (source === "built-in") {
    return (
      <p className="px-5 pb-4 text-sm text-muted max-sm:px-4">
        A few rules in this program, no AI. It needs no key, costs nothing, and answers where nothing else is connected.
      </p>
    );
  }
  return (
    <div className="px-5 pb-4 text-sm max-sm:px-4">
      <p className="text-muted">
        Set by <code className="font-mono text-xs text-foreground">{variable}</code>
        {baseUrl ? (
          <>
            {" "}
            at <code className="font-mono text-xs break-all text-foreground">{baseUrl}</code>
          </>
        ) : null}
        . Add your own to put it in its place; the environment's comes back when you delete that.
      </p>
      <LinkButton href={`/admin/models?provider=${id}&add=true&shadow=${id}`} className="mt-2">
        Add your own
      </LinkButton>
    </div>
  );
}

const SHOWN =
  "flex min-h-8 items-center gap-2 rounded-md border border-border-strong bg-field pl-2.5 pr-1 text-sm touch-row";

const KEY_HELP = "It is stored encrypted and never shown again.";

const { apiKey, baseUrl } = ChangeProviderBody.shape;
const KeyForm = z.object({ apiKey: apiKey.unwrap().unwrap() });
/** Without an address it is the provider's own; another one may need the key again. */
const AddressForm = z.object({
  baseUrl: typedNullable(baseUrl.unwrap()),
  apiKey: typedOptional(apiKey.unwrap().unwrap().optional()),
});

interface EditProps {
  provider: Provider;
  onDone: () => void;
}

function EditKey({ provider, onDone }: EditProps) {
  const refresh = useProviderRefresh();
  const form = useForm({
    schema: KeyForm,
    initial: { apiKey: "" },
    save: (change) => changeProvider({ id: provider.id, change }),
    onSaved: () => {
      onDone();
      return refresh();
    },
  });
  return (
    <PageForm form={form} className="flex flex-col gap-1.5" actions={<EditActions form={form} onDone={onDone} />}>
      <Field of={form} name="apiKey" label="Key" mono autoFocus description={KEY_HELP} onKeyDown={onEscape(onDone)} />
    </PageForm>
  );
}

/** What was typed stays over a reload until it is saved or cancelled, but not the key. */
function EditAddress({ provider, help, onDone: onEnd }: EditProps & { help: string }) {
  const refresh = useProviderRefresh();
  const [isKeyNeeded, setKeyNeeded] = useState(false);
  const form = useForm({
    subject: `provider ${provider.id} baseUrl`,
    schema: AddressForm,
    initial: { baseUrl: provider.baseUrl ?? "", apiKey: "" },
    save: (change) => changeProvider({ id: provider.id, change }),
    refusedFields: (refusal) => {
      const refused = refusedFields(refusal);
      if (refused.has("apiKey")) setKeyNeeded(true);
      return refused;
    },
    onSaved: () => {
      onEnd();
      return refresh();
    },
  });
  const onDone = () => {
    form.forget();
    onEnd();
  };
  // It is announced before it is shown: it then has the problem that asked for it.
  useField(form, "apiKey");
  return (
    <PageForm form={form} className="flex flex-col gap-1.5" actions={<EditActions form={form} onDone={onDone} />}>
      <Field
        of={form}
        name="baseUrl"
        label="Base URL"
        mono
        autoFocus
        autoComplete="off"
        placeholder="The provider's own"
        description={help}
        onKeyDown={onEscape(onDone)}
      />
      {isKeyNeeded ? (
        <Field of={form} name="apiKey" label="Key for this address" mono autoFocus description={KEY_HELP} />
      ) : null}
    </PageForm>
  );
}

function EditActions({ form, onDone }: { form: SentForm; onDone: () => void }) {
  return (
    <div className="flex gap-1.5">
      <Button type="submit" isPending={form.isPending}>
        Save
      </Button>
      <Button variant="ghost" onPress={onDone}>
        Cancel
      </Button>
    </div>
  );
}

function onEscape(onDone: () => void) {
  return (event: { readonly key: string }) => {
    if (event.key === "Escape") onDone();
  };
}

function KeyField({ provider }: { provider: Provider }) {
  const [isEditing, setEditing] = useState(false);
  const labelId = useId();
  const { apiKey } = provider;
  if (isEditing) return <EditKey provider={provider} onDone={() => setEditing(false)} />;
  return (
    <section aria-labelledby={labelId} className="flex flex-col gap-1">
      <h3 id={labelId} className={FIELD_LABEL}>
        Key
      </h3>
      <div className={SHOWN}>
        <span className="flex-1 text-muted whitespace-nowrap">
          {apiKey?.set ? "Set" : "None"}
          {apiKey?.ending ? (
            <>
              , ends in <span className="font-mono text-xs text-foreground">{apiKey.ending}</span>
            </>
          ) : null}
        </span>
        {apiKey?.setAt ? (
          <span className="min-w-0 truncate text-xs text-muted">
            {apiKey.setByName ? `${apiKey.setByName}, ` : ""}
            <Time at={apiKey.setAt} isInSentence />
          </span>
        ) : null}
        <Button variant="ghost" className="text-link" onPress={() => setEditing(true)}>
          {apiKey?.set ? "Replace" : "Enter a key"}
        </Button>
      </div>
      <p className="text-xs text-muted">{KEY_HELP}</p>
    </section>
  );
}

function AddressField({ provider }: { provider: Provider }) {
  const [isEditing, setEditing] = useState(false);
  const labelId = useId();
  const { baseUrl = null, kind } = provider;
  const isOwn = baseUrl === null;
  const help = kind === "openai-compatible" || kind === "ollama" ? "Where its API is." : "Change it for a proxy.";
  if (isEditing) return <EditAddress provider={provider} help={help} onDone={() => setEditing(false)} />;
  return (
    <section aria-labelledby={labelId} className="flex flex-col gap-1">
      <h3 id={labelId} className={FIELD_LABEL}>
        Base URL
      </h3>
      <div className={SHOWN}>
        <span className="min-w-0 flex-1 truncate text-muted" title={baseUrl ?? undefined}>
          {isOwn ? "The provider's own" : baseUrl}
        </span>
        <Button variant="ghost" className="text-link" onPress={() => setEditing(true)}>
          Change
        </Button>
      </div>
      <p className="text-xs text-muted">{help}</p>
    </section>
  );
}

const ROLE_LABELS: Readonly<Record<Role, string>> = { viewer: "Viewers", member: "Members", admin: "Admins" };

function RolesField({ provider }: { provider: Provider }) {
  const change = useProviderChange();
  const pending = change.isPending ? change.variables.change.allowedRoles : undefined;
  const allowed = pending ?? provider.allowedRoles ?? [];
  const save = (values: readonly string[]) => {
    const allowedRoles = Role.options.filter((role) => values.includes(role));
    if (allowedRoles.length === 0) {
      showToast({
        title: "At least one role must be allowed. To stop all use of this provider, delete it.",
        tone: "error",
      });
      return;
    }
    change.mutate(
      { id: provider.id, change: { allowedRoles } },
      { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
    );
  };
  return (
    <CheckboxGroup value={[...allowed]} onChange={save} className="flex flex-col gap-1">
      <Label className={FIELD_LABEL}>Who may use it</Label>
      <div className={`${SHOWN} flex-wrap gap-x-3`}>
        {Role.options.map((role) => (
          <Checkbox key={role} value={role} className="flex h-7 items-center gap-1.5 text-sm touch-row">
            {({ isSelected, isFocusVisible }) => (
              <>
                <span
                  aria-hidden="true"
                  className={`flex size-3.5 items-center justify-center rounded-xs border text-2xs leading-none ${
                    isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"
                  } ${isFocusVisible ? "ring-2 ring-focus ring-offset-1" : ""}`}
                >
                  {isSelected ? "✓" : ""}
                </span>
                {ROLE_LABELS[role]}
              </>
            )}
          </Checkbox>
        ))}
      </div>
      <p className="text-xs text-muted">Other roles cannot use this provider.</p>
    </CheckboxGroup>
  );
}

function AnyAgentField({ provider: { id, anyAgent = false } }: { provider: Provider }) {
  const change = useProviderChange();
  const isOn = change.isPending ? (change.variables.change.anyAgent ?? anyAgent) : anyAgent;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <p className="text-sm">May be used by any agent</p>
        <p className="text-xs text-muted">
          People can pick its models for agents whose own model comes from another provider.
        </p>
      </div>
      <Switch
        label="May be used by any agent"
        isOn={isOn}
        onChange={(next) =>
          change.mutate(
            { id, change: { anyAgent: next } },
            { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
          )
        }
      />
    </div>
  );
}
