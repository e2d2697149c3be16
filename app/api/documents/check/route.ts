import { DocumentCheck } from "@/lib/schema/files/document";
import { UploadBody } from "@/lib/schema/files/workspace-file";
import { checkDocument } from "@/lib/server/file-access/document-reading";
import { readUpload } from "@/lib/server/file-access/read-upload";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    bodyDocument: UploadBody,
    reply: DocumentCheck,
    summary: "Say whether a PDF, Word or Excel file can be read, before it is sent; multipart, nothing is stored",
  },
  async ({ request, signal }) =>
    json(await checkDocument(await readUpload(request), signal), { schema: DocumentCheck }),
);
