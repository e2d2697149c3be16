import type { Metadata } from "next";
import { GrantsPage } from "@/components/inbox/grants-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Allowed calls" };

export default async function Page() {
  await requirePageViewer(processServices(), "/inbox/grants");
  return <GrantsPage />;
}
