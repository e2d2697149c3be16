import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SetUpForm } from "@/components/auth/set-up-form";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { database } from "@/lib/server/platform/db/database";
import { processServices } from "@/lib/server/platform/services";
import { isSetUpNeeded } from "@/lib/server/users/set-up";

export const metadata: Metadata = { title: "Set up" };

export default async function Page() {
  if (!(await isSetUpNeeded(database()))) redirect((await findPageViewer(processServices())) ? "/" : "/sign-in");
  return (
    <AuthFrame
      title="Set up Ringmaster"
      intro="There is no administrator yet. Create the first account; it can add the others."
    >
      <SetUpForm />
    </AuthFrame>
  );
}
