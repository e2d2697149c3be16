import type { Metadata } from "next";
import { ConnectionsPage } from "@/components/inbox/connections-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Connections" };

export default async function Page() {
  await requirePageViewer("/inbox/connections");
  return <ConnectionsPage />;
}
