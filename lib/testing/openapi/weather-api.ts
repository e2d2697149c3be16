/** In the style of a small open service: YAML, OpenAPI 3.1, a relative server, lists in the query, no key. */
export const WEATHER_API = `
openapi: 3.1.0
info: { title: Weather, version: '1' }
servers:
  - url: /v1
paths:
  /forecast:
    get:
      tags: [Forecast]
      summary: 7 day forecast for coordinates
      parameters:
        - { name: hourly, in: query, schema: { type: array, items: { type: string, enum: [temperature, rain] } } }
        - { name: latitude, in: query, required: true, schema: { type: number } }
        - { name: longitude, in: query, required: true, schema: { type: number } }
        - { name: units, in: query, schema: { type: [string, 'null'], default: metric } }
      responses: { '200': { description: OK } }
`;
