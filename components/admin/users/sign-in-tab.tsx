"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { FIELD_LABEL } from "@/components/ui/controls/text-field";
import { Field } from "@/components/ui/form/field";
import { PageForm } from "@/components/ui/form/page-form";
import { SelectField } from "@/components/ui/form/select-field";
import { SwitchField } from "@/components/ui/form/switch-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { formSchema } from "@/lib/client/forms/typed";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { changeOidc, oidcQuery, removeOidc, testOidc } from "@/lib/client/users/oidc-queries";
import { ChangeOidcBody, type OidcSettings } from "@/lib/schema/users/oidc";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";

/** The ways to sign in: an identity provider, passwords, or both. */
export function SignInTab() {
  const settings = useQuery(oidcQuery);
  return (
    <QueryState what="sign-in settings" query={settings}>
      {(found) => <ProviderForm key={JSON.stringify(found)} settings={found} />}
    </QueryState>
  );
}

const NONE = "none";

const OidcForm = z.object({
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  groupClaim: z.string(),
  defaultRole: Role,
  localSignIn: z.boolean(),
  groups: z.array(z.object({ group: z.string(), role: Role.or(z.literal(NONE)), groupId: z.string() })),
});
type OidcForm = z.input<typeof OidcForm>;

/** An empty secret keeps the stored one; a rule without a group is left out. */
const OidcChange = formSchema(
  OidcForm,
  ({ clientSecret, groups, ...fields }) => ({
    ...fields,
    groups: groups
      .filter(({ group }) => group.trim() !== "")
      .map(({ group, role, groupId }) => ({
        group,
        ...(role === NONE ? {} : { role }),
        ...(groupId === NONE ? {} : { groupId }),
      })),
    ...(clientSecret === "" ? {} : { clientSecret }),
  }),
  ChangeOidcBody,
);

function formOf({ name, issuer, clientId, groupClaim, defaultRole, localSignIn, groups }: OidcSettings): OidcForm {
  return {
    ...{ name, groupClaim, defaultRole, localSignIn },
    issuer: issuer ?? "",
    clientId: clientId ?? "",
    clientSecret: "",
    groups: groups.map(({ group, role, groupId = NONE }) => ({ group, role: role ?? NONE, groupId })),
  };
}

function ProviderForm({ settings }: { settings: OidcSettings }) {
  const isSetUp = settings.issuer !== null;
  const form = useForm({
    subject: "oidc",
    schema: OidcChange,
    initial: formOf(settings),
    save: changeOidc,
    invalidates: [oidcQuery.queryKey],
    onSaved: () => showToast({ title: "Saved" }),
  });
  return (
    <PageForm
      form={form}
      className="flex max-w-[640px] flex-col gap-3 p-5"
      actions={<Actions isSaving={form.isPending} isSetUp={isSetUp} />}
    >
      <h2 className="text-sm font-semibold">Identity provider (OpenID Connect)</h2>
      <p className="text-sm text-muted">
        Accounts are matched by issuer and subject. An account with the same email address is never taken over.
      </p>
      <Field of={form} name="name" label="Name on the button" />
      <Field of={form} name="issuer" label="Issuer" placeholder="https://id.example.org" mono />
      <Field of={form} name="clientId" label="Client ID" mono />
      <Field
        of={form}
        name="clientSecret"
        label="Client secret"
        placeholder={settings.clientSecret.set ? "Set; leave empty to keep it" : ""}
      />
      <div className="flex flex-col gap-1">
        <span className={FIELD_LABEL}>Redirect address</span>
        <span className="flex items-center gap-2">
          <code className="min-w-0 flex-1 text-xs break-all">{settings.callbackUrl}</code>
          <CopyButton text={settings.callbackUrl} label="Copy the redirect address" size="sm" />
        </span>
      </div>
      <Field
        of={form}
        name="groupClaim"
        label="Groups claim"
        description="The claim lists a person's groups and is read at each sign-in."
        mono
      />
      <div className="flex flex-col gap-1">
        <SelectField of={form} name="defaultRole" label="Default role" options={ROLE_OPTIONS} />
        <span className="text-xs text-muted">People get this role if no rule gives them one.</span>
      </div>
      <Rules form={form} />
      {isSetUp ? (
        <div className="flex flex-col gap-1">
          <SwitchField of={form} name="localSignIn" label="Everybody may sign in with a password" />
          <span className="text-xs text-muted">
            Off: only administrators may, at <code>/sign-in?local=1</code>.
          </span>
        </div>
      ) : null}
    </PageForm>
  );
}

/** Saving, and what only a provider that is set up has: a test, and its removal. */
function Actions({ isSaving, isSetUp }: { isSaving: boolean; isSetUp: boolean }) {
  const queryClient = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  const test = useMutation({ mutationFn: testOidc });
  const remove = useMutation({
    mutationFn: removeOidc,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: oidcQuery.queryKey }),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => setLeaving(false),
  });
  return (
    <>
      {test.data || test.error ? (
        <p role="status" className="text-sm">
          {test.data?.ok ? "The provider answers, and is this issuer." : (test.data?.error ?? errorMessage(test.error))}
        </p>
      ) : null}
      <span className="flex gap-2">
        <Button type="submit" variant="primary" isPending={isSaving}>
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
    </>
  );
}

/** The mapping from the provider's groups to roles and groups here. */
function Rules({ form }: { form: Form<OidcForm> }) {
  const groups = useQuery(groupsQuery);
  const rules = form.values.groups;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className={FIELD_LABEL}>Group rules</legend>
      {rules.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and their fields are controlled.
        <div key={at} className="flex items-end gap-2 max-sm:flex-wrap">
          <Field of={form} name={`groups.${at}.group`} label="Group there" className="min-w-0 flex-1" />
          <SelectField
            of={form}
            name={`groups.${at}.role`}
            label="Role"
            options={[{ id: NONE, name: "No role" }, ...ROLE_OPTIONS]}
          />
          <SelectField
            of={form}
            name={`groups.${at}.groupId`}
            label="Group here"
            options={[{ id: NONE, name: "No group" }, ...(groups.data ?? [])]}
          />
          <IconButton label={`Remove the rule ${at + 1}`} onPress={() => form.set("groups", rules.toSpliced(at, 1))}>
            <X />
          </IconButton>
        </div>
      ))}
      <Button
        variant="ghost"
        className="self-start"
        onPress={() => form.set("groups", [...rules, { group: "", role: NONE, groupId: NONE }])}
      >
        <Plus aria-hidden />
        Add a rule
      </Button>
    </fieldset>
  );
}
