import type { Metadata } from "next";
import { FiringLogPage } from "@/components/schedules/firing-log-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Log of schedules" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer("/automations/schedules/log", await searchParams);
  return <FiringLogPage />;
}
