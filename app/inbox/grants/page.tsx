import type { Metadata } from "next";
import { GrantsPage } from "@/components/inbox/grants-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Allowed calls" };

export default async function Page() {
  await requirePageViewer("/inbox/grants");
  return <GrantsPage />;
}
