import { ImportedTools, ImportOpenApiBody, OpenApiPreview } from "@/lib/schema/tools/openapi-import";
import { json } from "@/lib/server/http/reply";
import { importOperations, previewOpenApi } from "@/lib/server/tools/http/openapi/import-openapi";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: ImportOpenApiBody,
    maxBodyBytes: 33 * 2 ** 20,
    reply: OpenApiPreview,
    otherReplies: { 201: ImportedTools },
    summary: "Read an OpenAPI document (200), or make tools of its operations (201)",
  },
  async ({ services, body, viewer, signal }) => {
    const { operations } = body;
    if (operations === undefined) return json(await previewOpenApi(body, signal), { schema: OpenApiPreview });
    const made = await importOperations(services, { ...body, operations }, viewer, signal);
    return json(made, { status: 201, schema: ImportedTools });
  },
);
