import type { Metadata } from "next";
import { ToolsPage } from "@/components/admin/tools/tools-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Tools" };

export default async function Page() {
  const services = pageServices();
  const viewer = await requireAdminPage(services, "/admin/tools");
  return <ToolsPage viewerId={viewer.id} />;
}
