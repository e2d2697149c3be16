import type { Metadata } from "next";
import { AuditPage } from "@/components/admin/audit/audit-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Audit" };

export default async function Page() {
  await requireAdminPage("/admin/audit");
  return <AuditPage />;
}
