import type { Metadata } from "next";
import { ChannelsPage } from "@/components/admin/channels/channels-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Channels" };

export default async function Page() {
  await requireAdminPage(processServices(), "/automations/channels");
  return <ChannelsPage />;
}
