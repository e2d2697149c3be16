import type { Metadata } from "next";
import { NotificationsPage } from "@/components/settings/notifications-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Notifications" };

export default async function Page() {
  await requirePageViewer("/settings/notifications");
  return <NotificationsPage />;
}
