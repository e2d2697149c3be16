import type { Metadata } from "next";
import { NewThreadView } from "@/components/chat/new-thread-view";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "New thread" };

export default async function StartPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer("/", await searchParams);
  return <NewThreadView />;
}
