"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { Field } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/select-field";
import { StateRing } from "@/components/ui/states/state-ring";
import { formSchema } from "@/lib/client/forms/typed";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { sendTestMail } from "@/lib/client/settings/settings-queries";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { formatCount } from "@/lib/client/ui/text/format";
import { readAmount } from "@/lib/client/usage/budget-text";
import { secret } from "@/lib/schema/new-secret";
import { ChangeSettingsBody, type SentMail, type Settings, SmtpBody } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const SECURITY = [
  { id: "starttls", name: "STARTTLS", description: "Usually port 587. A server that does not offer it is refused." },
  { id: "tls", name: "TLS", description: "Usually port 465." },
  { id: "none", name: "None", description: "Everything can be read on the way, the password included." },
] as const;

const Typed = z.strictObject({
  smtp: z.strictObject({
    host: z.string(),
    port: z.string(),
    security: SmtpBody.shape.security,
    user: z.string(),
    from: z.string(),
    password: secret(z.string()),
  }),
});
type Typed = z.infer<typeof Typed>;

const MailForm = formSchema(Typed, toBody, ChangeSettingsBody);

/** The mail server that sends invitations and password links. */
export function MailSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({ name: "mail", schema: MailForm, settings, valuesOf });
  const isKept = settings.smtp?.password && form.values.smtp.password === "";
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="Invitations and password links can be sent by email once a mail server is set. Leave the host empty to send none.">
        <div className="grid grid-cols-[1fr_96px_1fr] items-start gap-3 max-sm:grid-cols-1">
          <Field of={form} name="smtp.host" label="Host" autoComplete="off" placeholder="smtp.example.org" />
          <Field of={form} name="smtp.port" label="Port" inputMode="numeric" />
          <SelectField of={form} name="smtp.security" label="Security" options={SECURITY} />
        </div>
        <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
          <Field
            of={form}
            name="smtp.user"
            label="User"
            autoComplete="off"
            description="Leave it empty if the server needs none."
          />
          <Field
            of={form}
            name="smtp.password"
            label="Password"
            autoComplete="new-password"
            placeholder={isKept ? "set; type to replace it" : ""}
            description="Stored encrypted, and never shown again."
          />
        </div>
        <Field of={form} name="smtp.from" label="Sender" placeholder="Ringmaster <agents@example.org>" />
        <TestMail smtp={MailForm.safeParse(form.values).data?.smtp ?? null} />
      </SectionBody>
    </SettingsFrame>
  );
}

function valuesOf({ smtp }: Settings): Typed {
  if (!smtp) return { smtp: { host: "", port: "587", security: "starttls", user: "", from: "", password: "" } };
  const { host, port, security, user, from } = smtp;
  return { smtp: { host, port: String(port), security, user: user ?? "", from, password: "" } };
}

function toBody({ smtp: { port, user, password, ...rest } }: Typed): ChangeSettingsBody {
  if (rest.host.trim() === "") return { smtp: null };
  return {
    smtp: {
      ...rest,
      port: readAmount(port) ?? Number.NaN,
      user: user.trim() === "" ? null : user,
      ...(password === "" ? {} : { password }),
    },
  };
}

/** Sends a mail by the server as it is typed, saved or not; null while that is incomplete. */
function TestMail({ smtp }: { smtp: SmtpBody | null }) {
  const [to, setTo] = useState("");
  const test = useMutation({
    mutationFn: (server: SmtpBody) => sendTestMail({ ...(to.trim() === "" ? {} : { to: to.trim() }), smtp: server }),
  });
  return (
    <section aria-label="Test" className="flex flex-col gap-2 border-t border-separator pt-4">
      <TextField label="Send a test mail to" type="email" value={to} onChange={setTo} placeholder="your own address" />
      <div>
        <Button
          isDisabled={smtp === null}
          isPending={test.isPending}
          onPress={() => (smtp === null ? undefined : test.mutate(smtp))}
        >
          Test
        </Button>
      </div>
      {test.error ? (
        <p role="alert" className="text-sm text-fail-text">
          {testProblem(test.error)}
        </p>
      ) : null}
      {test.data ? <Answer sent={test.data} /> : null}
    </section>
  );
}

function testProblem(error: Error): string {
  return error instanceof ApiError && error.problems.has("smtp.password")
    ? "Enter the password again: it belongs to the server and user that were set before."
    : errorMessage(error);
}

function Answer({ sent: { ok, to, latencyMs, answer, error } }: { sent: SentMail }) {
  return (
    <div role={ok ? "status" : "alert"} className="overflow-hidden rounded-lg border border-border">
      <p className="flex min-h-9 items-center gap-2 px-3 py-1.5 text-sm">
        <StateRing status={ok ? "completed" : "failed"} />
        <span className="font-medium">{ok ? `Sent to ${to}` : "Not sent"}</span>
        <span className="text-xs text-muted">after {formatCount(latencyMs)} ms</span>
      </p>
      <p
        className={`border-t border-separator bg-code px-3 py-2 font-mono text-xs break-words ${ok ? "" : "text-fail-text"}`}
      >
        {ok ? answer : error}
      </p>
    </div>
  );
}
