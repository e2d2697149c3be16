import type { Metadata } from "next";
import { InboxPage } from "@/components/inbox/inbox-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Inbox" };

export default async function Page() {
  await requirePageViewer(processServices(), "/inbox");
  return <InboxPage />;
}
