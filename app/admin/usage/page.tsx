import type { Metadata } from "next";
import { UsagePage } from "@/components/admin/usage/usage-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Usage" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin/usage");
  return <UsagePage />;
}
