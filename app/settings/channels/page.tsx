import type { Metadata } from "next";
import { MyChannelsPage } from "@/components/settings/channels/my-channels-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Channels" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/settings/channels");
  return <MyChannelsPage />;
}
