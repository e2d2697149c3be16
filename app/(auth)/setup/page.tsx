import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SetUpForm } from "@/components/auth/set-up-form";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { isSetUpNeeded } from "@/lib/server/users/set-up";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Set up" };

export default async function Page() {
  const services = pageServices();
  if (!(await isSetUpNeeded(services.database))) redirect((await findPageViewer(services)) ? "/" : "/sign-in");
  return (
    <AuthFrame
      title="Set up Ringmaster"
      intro="There is no administrator yet. Create the first account; it can add the others."
    >
      <SetUpForm />
    </AuthFrame>
  );
}
