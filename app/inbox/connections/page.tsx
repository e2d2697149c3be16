import type { Metadata } from "next";
import { ConnectionsPage } from "@/components/inbox/connections-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Connections" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/inbox/connections");
  return <ConnectionsPage />;
}
