import type { Metadata } from "next";
import { AccountPage } from "@/components/settings/account-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Account" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/settings/account");
  return <AccountPage />;
}
