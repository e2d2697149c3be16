/** In the style of a code host: shared parameters, ids with a slash, bodies by reference, a schema that contains itself. */
export const ISSUES_API = {
  openapi: "3.0.3",
  info: { title: "Issues", version: "1.1.4" },
  servers: [{ url: "https://{host}/v3", variables: { host: { default: "issues.example.test" } } }],
  paths: {
    "/repos/{owner}/{repo}/issues": {
      parameters: [{ $ref: "#/components/parameters/owner" }, { $ref: "#/components/parameters/repo" }],
      get: {
        operationId: "issues/list-for-repo",
        summary: "List issues",
        parameters: [
          { name: "state", in: "query", schema: { type: "string", enum: ["open", "closed"], nullable: true } },
          { name: "labels[]", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "per_page", in: "query", schema: { type: "integer", minimum: 0, exclusiveMinimum: true } },
          { name: "X-Api-Version", in: "header", schema: { type: "string" } },
          { name: "Accept", in: "header", schema: { type: "string" } },
        ],
        responses: {},
      },
      post: {
        operationId: "issues/create",
        description: "Creates an issue.",
        requestBody: { $ref: "#/components/requestBodies/issue" },
        responses: {},
      },
    },
    "/repos/{owner}/{repo}/issues/{number}": {
      // Without a description of its path, as hand-written documents often are.
      delete: { responses: {} },
      patch: {
        operationId: "issues/update",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { oneOf: [{ $ref: "#/components/schemas/Issue" }, { type: "string" }] },
            },
          },
        },
        responses: {},
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        requestBody: { required: true, content: { "multipart/form-data": { schema: { type: "object" } } } },
      },
    },
    "/elsewhere": { get: { operationId: "elsewhere", parameters: [{ $ref: "other.yaml#/x" }] } },
    "/broken": { get: "not an operation" },
  },
  components: {
    parameters: {
      owner: { name: "owner", in: "path", required: true, schema: { type: "string" } },
      repo: { name: "repo", in: "path", required: true, description: "Without .git", schema: { type: "string" } },
    },
    requestBodies: {
      issue: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Issue" } } } },
    },
    schemas: {
      Issue: {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          {
            type: "object",
            required: ["title", "id"],
            properties: {
              title: { type: "string", example: "Bug" },
              parent: { $ref: "#/components/schemas/Issue" },
              url: { type: "string", format: "uri", "x-internal": true },
            },
          },
        ],
      },
      Base: { type: "object", properties: { id: { type: "integer", readOnly: true }, body: { type: "string" } } },
    },
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
  },
} as const;
