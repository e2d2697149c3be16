import { redirect } from "next/navigation";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin");
  redirect("/admin/agents");
}
