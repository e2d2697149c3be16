import type { Metadata } from "next";
import { ConnectionsPage } from "@/components/inbox/connections-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Connections" };

export default async function Page() {
  await requirePageViewer(processServices(), "/inbox/connections");
  return <ConnectionsPage />;
}
