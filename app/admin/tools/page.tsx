import type { Metadata } from "next";
import { ToolsPage } from "@/components/admin/tools/tools-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Tools" };

export default async function Page() {
  const viewer = await requireAdminPage(processServices(), "/admin/tools");
  return <ToolsPage viewerId={viewer.id} />;
}
