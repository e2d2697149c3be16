import type { Metadata } from "next";
import { HeartbeatsPage } from "@/components/schedules/heartbeats/heartbeats-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Heartbeats" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer("/automations/heartbeats", await searchParams);
  return <HeartbeatsPage />;
}
