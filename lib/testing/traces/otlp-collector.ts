import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import protobuf from "protobufjs";

/** The messages of OTLP's traces (opentelemetry-proto, trace/v1), read by a decoder that knows nothing of the encoder. */
const PROTO = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ExportTraceServiceResponse { PartialSuccess partial_success = 1; }
message PartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string trace_state = 3;
  bytes parent_span_id = 4;
  string name = 5;
  SpanKind kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
  Status status = 15;
  fixed32 flags = 16;
}
enum SpanKind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
message Status { string message = 2; StatusCode code = 3; }
enum StatusCode { UNSET = 0; OK = 1; ERROR = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
    ArrayValue array_value = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
`;

const { root } = protobuf.parse(PROTO);
const REQUEST = root.lookupType("ExportTraceServiceRequest");
const RESPONSE = root.lookupType("ExportTraceServiceResponse");

/** A span as a collector reads it; ids in hex, times in nanoseconds. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startNano: string;
  readonly endNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: string; readonly message: string };
  readonly flags: number;
}

interface ReceivedRequest {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly spans: readonly ReceivedSpan[];
}

interface DecodedValue {
  readonly arrayValue?: { readonly values: readonly DecodedValue[] };
  readonly [kind: string]: unknown;
}
interface DecodedPair {
  readonly key: string;
  readonly value: DecodedValue;
}
interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly DecodedPair[];
  readonly status: { readonly code: string; readonly message: string };
  readonly flags: number;
}
interface DecodedRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly DecodedPair[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly DecodedSpan[];
    }[];
  }[];
}

/** The body of an export as its reader sees it. Throws if it is not one. */
export function decodeExport(body: Uint8Array): ReceivedRequest[] {
  const options = { longs: String, enums: String, bytes: String, defaults: true, oneofs: false } as const;
  const decoded = REQUEST.toObject(REQUEST.decode(body), options) as DecodedRequest;
  return decoded.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.map(({ scope, spans }) => ({
      resource: readPairs(resource.attributes),
      scope: `${scope.name}@${scope.version}`,
      spans: spans.map(readSpan),
    })),
  );
}

function readSpan(span: DecodedSpan): ReceivedSpan {
  const { name, kind, status, flags, startTimeUnixNano: startNano, endTimeUnixNano: endNano } = span;
  const hex = (text: string) => Buffer.from(text, "base64").toString("hex");
  return {
    ...{ traceId: hex(span.traceId), spanId: hex(span.spanId), parentSpanId: hex(span.parentSpanId) },
    ...{ name, kind, startNano, endNano, attributes: readPairs(span.attributes) },
    ...{ status: { code: status.code, message: status.message }, flags },
  };
}

function readPairs(pairs: readonly DecodedPair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]));
}

function readValue({ arrayValue, ...single }: DecodedValue): unknown {
  if (arrayValue) return arrayValue.values.map(readValue);
  const [[kind, value] = []] = Object.entries(single);
  return kind === "intValue" ? Number(value) : value;
}

/** What the collector does with a request: a status with headers, or nothing at all until it is closed. */
type CollectorAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly rejectedSpans?: number;
    }
  | "silence";

export interface OtlpCollector {
  readonly url: string;
  readonly requests: {
    readonly headers: IncomingHttpHeaders;
    readonly path: string;
    readonly parts: ReceivedRequest[];
  }[];
  /** Of all accepted requests, in order. */
  readonly accepted: ReceivedSpan[];
  /** Answers the requests to come; the default accepts them. */
  answer: (spans: readonly ReceivedSpan[]) => CollectorAnswer;
  close(): Promise<void>;
}

/** An OTLP collector on a loopback port that decodes what it gets. */
export async function startOtlpCollector(port = 0): Promise<OtlpCollector> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const parts = decodeExport(Buffer.concat(chunks));
    collector.requests.push({ headers: incoming.headers, path: incoming.url ?? "", parts });
    const spans = parts.flatMap((part) => part.spans);
    const answer = collector.answer(spans);
    if (answer === "silence") return;
    if (answer.status === 200) collector.accepted.push(...spans);
    const { rejectedSpans, status, headers, body = "" } = answer;
    const partial = { partialSuccess: { rejectedSpans, errorMessage: "too old" } };
    response.writeHead(status, headers);
    response.end(rejectedSpans === undefined ? body : RESPONSE.encode(RESPONSE.fromObject(partial)).finish());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    accepted: [],
    answer: () => ({ status: 200 }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return collector;
}
