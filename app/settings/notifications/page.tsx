import type { Metadata } from "next";
import { NotificationsPage } from "@/components/settings/notifications-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Notifications" };

export default async function Page() {
  await requirePageViewer(processServices(), "/settings/notifications");
  return <NotificationsPage />;
}
