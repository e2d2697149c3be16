import { expect, test } from "vitest";
import { parseEnvironment } from "@/lib/server/platform/env";

const read = (variables: Record<string, string>) => parseEnvironment(variables, "/srv").otlp;

test("without an endpoint nothing is exported, whatever else is set", () => {
  expect(read({ OTEL_SERVICE_NAME: "agents", OTEL_EXPORTER_OTLP_HEADERS: "a=b" })).toBeNull();
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: " ", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toBeNull();
});

test("traces go below the endpoint, or to their own address as it is", () => {
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" })?.url).toBe("http://collector:4318/v1/traces");
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://o.example/otlp/" })?.url).toBe(
    "https://o.example/otlp/v1/traces",
  );
  const own = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/in" };
  expect(read(own)?.url).toBe("http://b/in");
});

test("headers and attributes are lists of pairs with encoded values", () => {
  const found = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://a",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi=, x-scope = one",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,service.name=from-attributes",
  });
  expect(found).toMatchObject({
    headers: { authorization: "Basic YTpi=", "x-scope": "one" },
    resource: { "deployment.environment.name": "prod" },
    serviceName: "from-attributes",
  });
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a" })?.serviceName).toBe("ringmaster");
});

test("what was written is sent only where somebody asks for it", () => {
  const withContent = (value: string) =>
    read({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://a",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value,
    })?.withContent;
  expect(["true", "TRUE", "1", "SPAN_ONLY", "SPAN_AND_EVENT"].map(withContent)).toEqual(Array(5).fill(true));
  expect(["", "false", "0", "NO_CONTENT", "EVENT_ONLY", "no"].map(withContent)).toEqual(Array(6).fill(false));
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "Bearer abc" }, "OTEL_EXPORTER_OTLP_HEADERS"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "a=%zz" }, "OTEL_EXPORTER_OTLP_HEADERS"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "http/protobuf"],
])("a value that can't be used names its variable: %j", (variables, named) => {
  expect(() => read(variables)).toThrow(named);
});
