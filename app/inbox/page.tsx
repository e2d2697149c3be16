import type { Metadata } from "next";
import { InboxPage } from "@/components/inbox/inbox-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Inbox" };

export default async function Page() {
  await requirePageViewer("/inbox");
  return <InboxPage />;
}
