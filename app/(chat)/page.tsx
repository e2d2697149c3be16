import type { Metadata } from "next";
import { NewThreadView } from "@/components/chat/new-thread-view";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "New thread" };

export default async function StartPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/", await searchParams);
  return <NewThreadView />;
}
