import type { Metadata } from "next";
import { FiringLogPage } from "@/components/schedules/firing-log-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Log of schedules" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/automations/schedules/log", await searchParams);
  return <FiringLogPage />;
}
