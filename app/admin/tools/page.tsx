import type { Metadata } from "next";
import { ToolsPage } from "@/components/admin/tools/tools-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Tools" };

export default async function Page() {
  await requireAdminPage("/admin/tools");
  return <ToolsPage />;
}
