import { callJson } from "@/lib/client/http/api";
import { DocumentCheck } from "@/lib/schema/files/document";
import { contentForm } from "./file-queries";

/** Why no model could read the document, in words; null if it could. */
export async function checkDocument(file: File): Promise<string | null> {
  const body = contentForm(file.name, file);
  return (await callJson(DocumentCheck, "/api/documents/check", { method: "POST", body })).refused;
}
