import type { Metadata } from "next";
import { NewThreadView } from "@/components/chat/new-thread-view";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "New thread" };

export default async function StartPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/", await searchParams);
  return <NewThreadView />;
}
