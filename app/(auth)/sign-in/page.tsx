import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { OidcButton } from "@/components/auth/oidc-button";
import { SignInForm } from "@/components/auth/sign-in-form";
import { safeNext } from "@/lib/client/users/account";
import { oidcProblem } from "@/lib/client/users/oidc-labels";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { readOidc } from "@/lib/server/users/oidc/oidc-settings";
import { isSetUpNeeded } from "@/lib/server/users/set-up";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Sign in" };

type Query = Partial<Record<"next" | "local" | "error", string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const services = pageServices();
  const { next, local, error } = await searchParams;
  const target = safeNext(typeof next === "string" ? next : undefined);
  if (await findPageViewer(services)) redirect(target);
  if (await isSetUpNeeded(services.database)) redirect("/setup");
  const oidc = await readOidc(services.database);
  const isLocal = oidc === null || oidc.localSignIn || local === "1";
  const { signInText } = currentSettings().branding;
  return (
    <AuthFrame title="Sign in" intro={signInText === "" ? "Accounts are created by an administrator." : signInText}>
      {oidc === null ? null : (
        <OidcButton
          name={oidc.name}
          next={target}
          problem={oidcProblem(typeof error === "string" ? error : undefined, oidc.name)}
          localHref={isLocal ? null : `/sign-in?local=1&next=${encodeURIComponent(target)}`}
        />
      )}
      {oidc !== null && isLocal ? (
        <p className="my-4 text-xs text-muted">
          {oidc.localSignIn ? "Or with a password:" : "With a password, for administrators:"}
        </p>
      ) : null}
      {isLocal ? <SignInForm next={target} /> : null}
    </AuthFrame>
  );
}
