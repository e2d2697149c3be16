import fc from "fast-check";
import { expect, test } from "vitest";
import { Span, SpanArray, SpanStatus, SpanType } from "./span";

const FIELDS = Object.keys(Span.shape);

const anySpan: fc.Arbitrary<Span> = fc.record({
  id: fc.string(),
  traceId: fc.string(),
  runId: fc.string(),
  parentId: fc.option(fc.string()),
  type: fc.constantFrom(...SpanType.options),
  name: fc.string(),
  status: fc.constantFrom(...SpanStatus.options),
  startedAtMs: fc.nat(),
  endedAtMs: fc.option(fc.nat()),
  attributes: fc.dictionary(fc.string(), fc.jsonValue()),
  error: fc.option(fc.string()),
});

const wrongValue = fc.constantFrom<unknown>(undefined, null, 1, Number.NaN, "", "tool", [], {}, true, "running");

test("a list of spans is what an array of spans is", () => {
  expect(SpanArray.safeParse([]).success).toBe(true);
  expect(SpanArray.safeParse({}).success).toBe(false);
  expect(SpanArray.safeParse([null]).success).toBe(false);
  fc.assert(
    fc.property(anySpan, (span) => {
      expect(SpanArray.parse([span])).toEqual([span]);
    }),
  );
});

test("a span with one field of another kind is judged as the schema judges it", () => {
  fc.assert(
    fc.property(anySpan, fc.constantFrom(...FIELDS), wrongValue, (span, field, value) => {
      const changed = { ...span, [field]: value };
      expect(SpanArray.safeParse([changed]).success).toBe(Span.safeParse(changed).success);
    }),
  );
});
