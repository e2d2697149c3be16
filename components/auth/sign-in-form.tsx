"use client";
import { signIn } from "@/lib/client/users/account";
import { AccountForm } from "./account-form";

const FIELDS = [
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
] as const;

/** `next` is a path of this site. The page reloads, so that what was cached before signing in is dropped. */
export function SignInForm({ next }: { next: string }) {
  return <AccountForm fields={FIELDS} action="Sign in" onSubmit={signIn} onDone={() => window.location.assign(next)} />;
}
