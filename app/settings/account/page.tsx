import type { Metadata } from "next";
import { AccountPage } from "@/components/settings/account-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Account" };

export default async function Page() {
  await requirePageViewer("/settings/account");
  return <AccountPage />;
}
