import type { Metadata } from "next";
import { AccountPage } from "@/components/settings/account-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Account" };

export default async function Page() {
  await requirePageViewer(processServices(), "/settings/account");
  return <AccountPage />;
}
