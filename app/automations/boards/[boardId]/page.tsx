import type { Metadata } from "next";
import { BoardPage } from "@/components/boards/board-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Board" };

interface PageProps {
  params: Promise<{ boardId: string }>;
  searchParams: Promise<PageQuery>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const services = pageServices();
  const { boardId } = await params;
  await requirePageViewer(services, `/automations/boards/${encodeURIComponent(boardId)}`, await searchParams);
  return <BoardPage key={boardId} id={decodeURIComponent(boardId)} />;
}
