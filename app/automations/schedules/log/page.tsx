import type { Metadata } from "next";
import { FiringLogPage } from "@/components/schedules/firing-log-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Log of schedules" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/automations/schedules/log", await searchParams);
  return <FiringLogPage />;
}
