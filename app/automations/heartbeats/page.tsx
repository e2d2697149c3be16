import type { Metadata } from "next";
import { HeartbeatsPage } from "@/components/schedules/heartbeats/heartbeats-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Heartbeats" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/automations/heartbeats", await searchParams);
  return <HeartbeatsPage />;
}
