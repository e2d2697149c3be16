import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SignInForm } from "@/components/auth/sign-in-form";
import { safeNext } from "@/lib/client/users/account";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { isSetUpNeeded } from "@/lib/server/users/set-up";

export const metadata: Metadata = { title: "Sign in" };

export default async function Page({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const target = safeNext(typeof next === "string" ? next : undefined);
  if (await findPageViewer()) redirect(target);
  if (await isSetUpNeeded()) redirect("/setup");
  const { signInText } = currentSettings().branding;
  return (
    <AuthFrame title="Sign in" intro={signInText === "" ? "Accounts are created by an administrator." : signInText}>
      <SignInForm next={target} />
    </AuthFrame>
  );
}
