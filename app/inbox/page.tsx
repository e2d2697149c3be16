import type { Metadata } from "next";
import { InboxPage } from "@/components/inbox/inbox-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Inbox" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/inbox");
  return <InboxPage />;
}
