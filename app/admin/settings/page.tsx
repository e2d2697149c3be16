import { redirect } from "next/navigation";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/settings");
  redirect("/admin/settings/retention");
}
