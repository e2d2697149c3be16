import type { Metadata } from "next";
import { UsagePage } from "@/components/admin/usage/usage-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Usage" };

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/usage");
  return <UsagePage />;
}
