import type { Metadata } from "next";
import { GrantsPage } from "@/components/inbox/grants-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Allowed calls" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/inbox/grants");
  return <GrantsPage />;
}
