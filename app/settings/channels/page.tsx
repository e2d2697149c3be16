import type { Metadata } from "next";
import { MyChannelsPage } from "@/components/settings/channels/my-channels-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Channels" };

export default async function Page() {
  await requirePageViewer("/settings/channels");
  return <MyChannelsPage />;
}
