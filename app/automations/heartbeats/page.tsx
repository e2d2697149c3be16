import type { Metadata } from "next";
import { HeartbeatsPage } from "@/components/schedules/heartbeats/heartbeats-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Heartbeats" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/automations/heartbeats", await searchParams);
  return <HeartbeatsPage />;
}
