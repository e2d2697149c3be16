import { AdminNotFound } from "@/components/admin/admin-not-found";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export default async function NotFound() {
  const services = pageServices();
  return <AdminNotFound viewer={await findPageViewer(services)} />;
}
