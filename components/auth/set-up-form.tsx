"use client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { useFragmentParameter } from "@/lib/client/ui/use-fragment";
import { setUp } from "@/lib/client/users/account";
import { AccountForm } from "./account-form";

const ACCOUNT = [
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  {
    name: "password",
    label: "Password",
    type: "password",
    autoComplete: "new-password",
    minLength: 12,
    description: "At least 12 characters.",
  },
] as const;

const TOKEN = {
  name: "token",
  label: "Set-up token",
  description: "The part after #token= in the link in the server's log.",
} as const;

/** The fragment never reaches a server or its logs; it is read here and sent once. */
export function SetUpForm() {
  const token = useFragmentParameter("token");
  return (
    <AccountForm
      fields={token === "" ? [...ACCOUNT, TOKEN] : ACCOUNT}
      action="Set up Ringmaster"
      onSubmit={(values) => setUp({ ...values, token: token || values.token })}
      onDone={() => window.location.assign("/")}
    >
      {token === "" ? <WhereTheTokenIs /> : null}
    </AccountForm>
  );
}

function WhereTheTokenIs() {
  return (
    <details className="rounded-md border border-border bg-surface px-3 py-2 text-sm">
      <summary className="text-sm">Where is the token?</summary>
      <p className="mt-2 mb-2 text-muted">
        When the server starts without an administrator, it prints a link. Open that link, or copy what follows{" "}
        <code className="text-xs">#token=</code>. A restart prints a new one.
      </p>
      <CodeBlock isBare wrap title="text" code="Set up: http://127.0.0.1:3000/setup#token=…" />
    </details>
  );
}
