"use client";
import { useId, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Switch } from "@/components/ui/controls/switch";
import { FIELD_LABEL, TextField } from "@/components/ui/controls/text-field";
import { Time } from "@/components/ui/time";
import { fieldState, refusedFields } from "@/lib/client/forms/problems";
import { errorMessage } from "@/lib/client/http/api";
import { useProviderChange } from "@/lib/client/providers/use-providers";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptText } from "@/lib/client/ui/use-kept-form";
import type { Provider } from "@/lib/schema/provider";
import type { ChangeProviderBody } from "@/lib/schema/provider-requests";
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

interface EditProps {
  provider: Provider;
  label: string;
  path: "apiKey" | "baseUrl";
  isSecret?: boolean;
  initial: string;
  placeholder?: string;
  help: string;
  onDone: () => void;
}

/** One field in edit mode; what was typed stays until it is saved or cancelled, a key until a reload. */
function EditField({ provider, label, path, isSecret, initial, placeholder, help, onDone: onEnd }: EditProps) {
  const [secret, setSecret] = useState("");
  const kept = useKeptText(`provider ${provider.id} ${path}`, initial);
  const [text, setText] = isSecret ? [secret, setSecret] : [kept.text, kept.setText];
  const onDone = () => {
    kept.forget();
    onEnd();
  };
  const change = useProviderChange();
  const problems = refusedFields(change.error);
  // Another address needs the key again.
  const keyProblem = path === "baseUrl" ? problems.get("apiKey") : undefined;
  const [isKeyNeeded, setKeyNeeded] = useState(false);
  const asksForKey = isKeyNeeded || keyProblem !== undefined;
  const problem = problems.get(path) ?? (change.error && !keyProblem ? errorMessage(change.error) : undefined);
  const save = () => {
    const value = text.trim() === "" ? null : text;
    const key = asksForKey && secret !== "" ? { apiKey: secret } : {};
    setKeyNeeded(asksForKey);
    change.mutate(
      { id: provider.id, change: { [path]: value, ...key } satisfies ChangeProviderBody },
      { onSuccess: onDone },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) save();
      }}
    >
      <TextField
        label={label}
        type={isSecret ? "password" : "text"}
        autoComplete="off"
        mono
        autoFocus
        value={text}
        onChange={setText}
        placeholder={placeholder}
        description={help}
        {...fieldState(problem)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone();
        }}
      />
      {asksForKey ? (
        <TextField
          label="Key for this address"
          type="password"
          autoComplete="off"
          mono
          autoFocus
          value={secret}
          onChange={setSecret}
          description={KEY_HELP}
          {...fieldState(keyProblem)}
        />
      ) : null}
      <div className="mt-1.5 flex gap-1.5">
        <Button type="submit" isPending={change.isPending} isDisabled={isSecret && text.trim() === ""}>
          Save
        </Button>
        <Button variant="ghost" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function KeyField({ provider }: { provider: Provider }) {
  const [isEditing, setEditing] = useState(false);
  const labelId = useId();
  const { apiKey } = provider;
  if (isEditing) {
    const facts = { provider, label: "Key", path: "apiKey", initial: "", help: KEY_HELP } as const;
    return <EditField {...facts} isSecret onDone={() => setEditing(false)} />;
  }
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
  if (isEditing) {
    const facts = { provider, label: "Base URL", path: "baseUrl", initial: baseUrl ?? "", help } as const;
    return <EditField {...facts} placeholder="The provider's own" onDone={() => setEditing(false)} />;
  }
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

const ROLE_WORDS: Readonly<Record<Role, string>> = { viewer: "Viewers", member: "Members", admin: "Admins" };

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
                {ROLE_WORDS[role]}
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
