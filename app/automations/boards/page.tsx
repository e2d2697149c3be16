import type { Metadata } from "next";
import { BoardsPage } from "@/components/boards/boards-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Boards" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  await requirePageViewer(processServices(), "/automations/boards", await searchParams);
  return <BoardsPage />;
}
