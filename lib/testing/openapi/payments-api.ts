/** In the style of a payment service: forms as bodies, brackets in names, no operation ids, a key in a header. */
export const PAYMENTS_API = {
  openapi: "3.0.0",
  info: { title: "Payments" },
  servers: [{ url: "https://payments.example.test/" }],
  paths: {
    "/v1/charges/{charge}": {
      get: {
        parameters: [
          { name: "charge", in: "path", required: true, schema: { type: "string" } },
          { name: "expand[]", in: "query", schema: { type: "array", items: { type: "string" } } },
        ],
      },
      post: {
        parameters: [{ name: "charge", in: "path", required: true, schema: { type: "string" } }],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["amount"],
                properties: { amount: { type: "integer" }, charge: { type: "string" } },
              },
            },
          },
        },
      },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
} as const;
