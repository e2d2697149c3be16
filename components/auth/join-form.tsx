"use client";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { useFragmentParameter } from "@/lib/client/ui/use-fragment";
import { followLink, linkQuery } from "@/lib/client/users/link-queries";
import type { LinkSummary } from "@/lib/schema/users/account-link";
import { AccountForm } from "./account-form";
import { AuthFrame } from "./auth-frame";

const NAME = { name: "name", label: "Your name", autoComplete: "name" } as const;
const PASSWORD = {
  name: "password",
  label: "Password",
  type: "password",
  autoComplete: "new-password",
  minLength: 12,
  description: "At least 12 characters.",
} as const;

/** The page behind an invitation or a password link. */
export function JoinForm() {
  const token = useFragmentParameter("token");
  const link = useQuery(linkQuery(token ?? ""));
  if (token !== null && link.data) return <Account token={token} facts={link.data} />;
  if (token !== "" && link.isPending) {
    return (
      <AuthFrame title="One moment" intro="Checking your link …">
        <span />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="This link does not work"
      intro={link.error ? errorMessage(link.error) : "Open the whole link that you were sent, to its last character."}
    >
      <a href="/sign-in" className="text-sm text-link hover:underline">
        Sign in instead
      </a>
    </AuthFrame>
  );
}

function Account({ token, facts: { kind, email } }: { token: string; facts: LinkSummary }) {
  const isInvitation = kind === "invite";
  return (
    <AuthFrame
      title={isInvitation ? "Create your account" : "Choose a new password"}
      intro={
        <>
          {isInvitation ? "You sign in as " : "For "}
          <b className="font-medium text-foreground">{email}</b>
          {isInvitation ? "." : ". You will be signed out everywhere else."}
        </>
      }
    >
      <AccountForm
        fields={isInvitation ? [NAME, PASSWORD] : [PASSWORD]}
        action={isInvitation ? "Create account" : "Set password"}
        onSubmit={(values) =>
          followLink({ token, email, password: values.password, ...(isInvitation ? { name: values.name } : {}) })
        }
        onDone={() => window.location.assign("/")}
      />
    </AuthFrame>
  );
}
