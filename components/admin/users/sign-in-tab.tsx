"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Switch } from "@/components/ui/controls/switch";
import { FIELD_LABEL, TextField } from "@/components/ui/controls/text-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { changeOidc, oidcQuery, removeOidc, testOidc } from "@/lib/client/users/oidc-queries";
import type { OidcRule, OidcSettings } from "@/lib/schema/users/oidc";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";

/** The ways to sign in: an identity provider, passwords, or both. */
export function SignInTab() {
  const settings = useQuery(oidcQuery);
  return (
    <QueryState what="sign-in settings" query={settings}>
      {(found) => <OidcForm key={JSON.stringify(found)} settings={found} />}
    </QueryState>
  );
}

function OidcForm({ settings }: { settings: OidcSettings }) {
  const queryClient = useQueryClient();
  const isSetUp = settings.issuer !== null;
  const [values, setValues] = useState({
    name: settings.name,
    issuer: settings.issuer ?? "",
    clientId: settings.clientId ?? "",
    clientSecret: "",
    groupClaim: settings.groupClaim,
    defaultRole: settings.defaultRole,
    localSignIn: settings.localSignIn,
  });
  const [rules, setRules] = useState<readonly OidcRule[]>(settings.groups);
  const [isLeaving, setLeaving] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: oidcQuery.queryKey });
  const save = useMutation({
    mutationFn: () => {
      const { clientSecret, ...rest } = values;
      const groups = rules.filter(({ group }) => group.trim() !== "");
      return changeOidc({ ...rest, groups, ...(clientSecret === "" ? {} : { clientSecret }) });
    },
    onSuccess: () => {
      showToast({ title: "Saved" });
      void reload();
    },
  });
  const test = useMutation({ mutationFn: testOidc });
  const remove = useMutation({
    mutationFn: removeOidc,
    onSuccess: reload,
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => setLeaving(false),
  });
  const problems = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const field = (name: "name" | "issuer" | "clientId" | "clientSecret" | "groupClaim") => ({
    value: values[name],
    // The browser would not resubmit the form while a field has the server's problem.
    validationBehavior: "aria" as const,
    onChange: (value: string) => setValues((known) => ({ ...known, [name]: value })),
    isInvalid: problems.has(name) || undefined,
    errorMessage: problems.get(name),
  });
  return (
    <form
      className="flex max-w-[640px] flex-col gap-3 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <h2 className="text-sm font-semibold">Identity provider (OpenID Connect)</h2>
      <p className="text-sm text-muted">
        Accounts are matched by issuer and subject. An account with the same email address is never taken over.
      </p>
      <TextField label="Name on the button" {...field("name")} />
      <TextField label="Issuer" placeholder="https://id.example.org" mono {...field("issuer")} />
      <TextField label="Client ID" mono {...field("clientId")} />
      <TextField
        label="Client secret"
        type="password"
        autoComplete="off"
        placeholder={settings.clientSecret.set ? "Set; leave empty to keep it" : ""}
        {...field("clientSecret")}
      />
      <div className="flex flex-col gap-1">
        <span className={FIELD_LABEL}>Redirect address, for the provider</span>
        <span className="flex items-center gap-2">
          <code className="min-w-0 flex-1 text-xs break-all">{settings.callbackUrl}</code>
          <CopyButton text={settings.callbackUrl} label="Copy the redirect address" size="sm" />
        </span>
      </div>
      <TextField
        label="Claim with a person's groups"
        description="Read at each sign-in."
        mono
        {...field("groupClaim")}
      />
      <Select
        label="Role of people without a rule that has a role"
        options={ROLE_OPTIONS}
        value={values.defaultRole}
        onChange={(id) => setValues((known) => ({ ...known, defaultRole: Role.parse(id) }))}
      />
      <Rules rules={rules} onChange={setRules} problems={problems} />
      {isSetUp ? (
        <div className="flex flex-col gap-1">
          <span className="flex items-center gap-2 text-sm">
            <Switch
              label="Everybody may sign in with a password"
              isOn={values.localSignIn}
              onChange={(localSignIn) => setValues((known) => ({ ...known, localSignIn }))}
            />
            Everybody may sign in with a password
          </span>
          <span className="text-xs text-muted">
            Off: only administrators may, at <code>/sign-in?local=1</code>.
          </span>
          {problems.has("localSignIn") ? (
            <span role="alert" className="text-xs text-fail-text">
              {problems.get("localSignIn")}
            </span>
          ) : null}
        </div>
      ) : null}
      {save.error && problems.size === 0 ? (
        <p role="alert" className="rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {errorMessage(save.error)}
        </p>
      ) : null}
      {test.data || test.error ? (
        <p role="status" className="text-sm">
          {test.data?.ok ? "The provider answers, and is this issuer." : (test.data?.error ?? errorMessage(test.error))}
        </p>
      ) : null}
      <span className="flex gap-2">
        <Button type="submit" variant="primary" isPending={save.isPending}>
          Save
        </Button>
        {isSetUp ? (
          <>
            <Button isPending={test.isPending} onPress={() => test.mutate()}>
              Test
            </Button>
            <Button variant="danger-ghost" onPress={() => setLeaving(true)}>
              Remove
            </Button>
          </>
        ) : null}
      </span>
      <ConfirmDialog
        title="Remove the identity provider?"
        confirmLabel="Remove"
        isOpen={isLeaving}
        onConfirm={() => remove.mutate()}
        onClose={() => setLeaving(false)}
      >
        Sign-in through it ends. Sessions and accounts stay, and passwords work for everybody who has one.
      </ConfirmDialog>
    </form>
  );
}

interface RulesProps {
  rules: readonly OidcRule[];
  onChange: (rules: readonly OidcRule[]) => void;
  problems: ReadonlyMap<string, string>;
}

const NONE = "none";

/** The mapping from the provider's groups to roles and groups here. */
function Rules({ rules, onChange, problems }: RulesProps) {
  const groups = useQuery(groupsQuery);
  const change = (at: number, rule: OidcRule) => onChange(rules.map((known, index) => (index === at ? rule : known)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className={FIELD_LABEL}>What the provider's groups stand for</legend>
      {rules.map((rule, at) => {
        const { role, groupId, group } = rule;
        const problem = problems.get(`groups.${at}`) ?? problems.get(`groups.${at}.group`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and their fields are controlled.
          <div key={at} className="flex items-end gap-2 max-sm:flex-wrap">
            <TextField
              label="Group there"
              validationBehavior="aria"
              className="min-w-0 flex-1"
              value={group}
              onChange={(value) => change(at, { ...rule, group: value })}
              isInvalid={problem !== undefined || undefined}
              errorMessage={problem}
            />
            <Select
              label="Role"
              options={[{ id: NONE, name: "No role" }, ...ROLE_OPTIONS]}
              value={role ?? NONE}
              onChange={(id) =>
                change(at, { group, ...(groupId ? { groupId } : {}), ...(id === NONE ? {} : { role: Role.parse(id) }) })
              }
            />
            <Select
              label="Group here"
              options={[{ id: NONE, name: "No group" }, ...(groups.data ?? [])]}
              value={groupId ?? NONE}
              onChange={(id) =>
                change(at, { group, ...(role ? { role } : {}), ...(id === NONE ? {} : { groupId: id }) })
              }
            />
            <IconButton
              label={`Remove the rule ${at + 1}`}
              onPress={() => onChange(rules.filter((_, index) => index !== at))}
            >
              <X />
            </IconButton>
          </div>
        );
      })}
      <Button variant="ghost" className="self-start" onPress={() => onChange([...rules, { group: "" }])}>
        <Plus aria-hidden />
        Add a rule
      </Button>
    </fieldset>
  );
}
