import type { Metadata } from "next";
import { TraceListPage } from "@/components/trace/trace-list-page";
import { requirePageViewer } from "@/lib/server/page-viewer";

export const metadata: Metadata = { title: "Traces" };

export default async function Page() {
  const viewer = await requirePageViewer("/traces");
  return <TraceListPage isAdmin={viewer.role === "admin"} />;
}
