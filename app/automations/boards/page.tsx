import type { Metadata } from "next";
import { BoardsPage } from "@/components/boards/boards-page";
import { type PageQuery, requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Boards" };

export default async function Page({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const services = pageServices();
  await requirePageViewer(services, "/automations/boards", await searchParams);
  return <BoardsPage />;
}
