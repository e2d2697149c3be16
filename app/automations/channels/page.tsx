import type { Metadata } from "next";
import { ChannelsPage } from "@/components/admin/channels/channels-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Channels" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/automations/channels");
  return <ChannelsPage />;
}
