import type { Metadata } from "next";
import { MyChannelsPage } from "@/components/settings/channels/my-channels-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Channels" };

export default async function Page() {
  await requirePageViewer(processServices(), "/settings/channels");
  return <MyChannelsPage />;
}
