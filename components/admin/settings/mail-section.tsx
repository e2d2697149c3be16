"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { StateRing } from "@/components/ui/states/state-ring";
import { fieldState } from "@/lib/client/forms/problems";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { sendTestMail } from "@/lib/client/settings/settings-queries";
import { type FormReading, useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { formatCount } from "@/lib/client/ui/text/format";
import type { SentMail, Settings, SmtpBody } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const Values = z.object({
  host: z.string(),
  port: z.string(),
  security: z.enum(["tls", "starttls", "none"]),
  user: z.string(),
  from: z.string(),
});
type Values = z.infer<typeof Values>;

const SECURITY = [
  { id: "starttls", name: "STARTTLS", description: "Usually port 587. A server that does not offer it is refused." },
  { id: "tls", name: "TLS", description: "Usually port 465." },
  { id: "none", name: "None", description: "Everything can be read on the way, the password included." },
] as const;

/** The mail server that sends invitations and password links. */
export function MailSection({ section, settings: { smtp } }: SectionProps) {
  // Never kept by the browser.
  const [password, setPassword] = useState("");
  const form = useSettingsForm({
    name: "mail",
    schema: Values,
    current: valuesOf(smtp),
    read: (values) => readMail(values, password),
    hasMore: password !== "",
    onSaved: () => setPassword(""),
  });
  const { values, set, problems } = form;
  const problem = (name: keyof SmtpBody) => fieldState(problems.get(`smtp.${name}`));
  const changes = form.changes + (password === "" ? 0 : 1);
  const discard = () => {
    setPassword("");
    form.discard();
  };
  const isKept = smtp?.password && password === "";
  return (
    <SettingsFrame section={section} form={{ ...form, changes, discard }}>
      <SectionBody intro="Invitations and password links can be sent by email once a mail server is set. Leave the host empty to send none.">
        <div className="grid grid-cols-[1fr_96px_1fr] items-start gap-3 max-sm:grid-cols-1">
          <TextField
            label="Host"
            autoComplete="off"
            value={values.host}
            onChange={(host) => set({ host })}
            placeholder="smtp.example.org"
            {...problem("host")}
          />
          <TextField
            label="Port"
            inputMode="numeric"
            value={values.port}
            onChange={(port) => set({ port })}
            {...problem("port")}
          />
          <Select
            label="Security"
            options={SECURITY}
            value={values.security}
            onChange={(id) => set({ security: SECURITY.find((known) => known.id === id)?.id ?? "starttls" })}
          />
        </div>
        <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
          <TextField
            label="User"
            autoComplete="off"
            value={values.user}
            onChange={(user) => set({ user })}
            description="Leave it empty if the server needs none."
            {...problem("user")}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            placeholder={isKept ? "set; type to replace it" : ""}
            description="Stored encrypted, and never shown again."
            {...problem("password")}
          />
        </div>
        <TextField
          label="Sender"
          value={values.from}
          onChange={(from) => set({ from })}
          placeholder="Ringmaster <agents@example.org>"
          {...problem("from")}
        />
        <TestMail values={values} password={password} />
      </SectionBody>
    </SettingsFrame>
  );
}

function valuesOf(smtp: Settings["smtp"]): Values {
  if (!smtp) return { host: "", port: "587", security: "starttls", user: "", from: "" };
  const { host, port, security, user, from } = smtp;
  return { host, port: String(port), security, user: user ?? "", from };
}

function readMail(values: Values, password: string): FormReading {
  if (values.host.trim() === "") return { body: { smtp: null } };
  const { smtp, problems } = toSmtp(values, password);
  return smtp ? { body: { smtp } } : { problems };
}

function toSmtp({ host, port, security, user, from }: Values, password: string) {
  const problems = {
    ...(host.trim() === "" ? { "smtp.host": "is needed" } : {}),
    ...(/^[1-9]\d{0,4}$/.test(port.trim()) ? {} : { "smtp.port": "must be a number, such as 587" }),
    ...(from.trim() === "" ? { "smtp.from": "is needed: the address that mails come from" } : {}),
  };
  if (Object.keys(problems).length > 0) return { smtp: null, problems };
  const smtp: SmtpBody = {
    host: host.trim(),
    port: Number(port),
    security,
    from: from.trim(),
    user: user.trim() === "" ? null : user.trim(),
    ...(password === "" ? {} : { password }),
  };
  return { smtp, problems };
}

interface TestMailProps {
  values: Values;
  password: string;
}

/** Sends a mail using the fields' values, saved or not. */
function TestMail({ values, password }: TestMailProps) {
  const [to, setTo] = useState("");
  const test = useMutation({
    mutationFn: () => {
      const { smtp } = toSmtp(values, password);
      return sendTestMail({ ...(to.trim() === "" ? {} : { to: to.trim() }), ...(smtp ? { smtp } : {}) });
    },
  });
  const isComplete = toSmtp(values, password).smtp !== null;
  return (
    <section aria-label="Test" className="flex flex-col gap-2 border-t border-separator pt-4">
      <TextField label="Send a test mail to" type="email" value={to} onChange={setTo} placeholder="your own address" />
      <div>
        <Button isDisabled={!isComplete} isPending={test.isPending} onPress={() => test.mutate()}>
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
