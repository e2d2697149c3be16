import type { Metadata } from "next";
import { NotificationsPage } from "@/components/settings/notifications-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Notifications" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/settings/notifications");
  return <NotificationsPage />;
}
