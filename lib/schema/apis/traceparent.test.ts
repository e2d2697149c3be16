import { expect, test } from "vitest";
import { readTraceparent } from "./traceparent";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a header names the caller's trace and span, whether that is sampled or not", () => {
  for (const flags of ["00", "01", "ff"]) {
    expect(readTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).toEqual({ traceId: TRACE, spanId: SPAN });
  }
});

test("a later version may have more behind the flags", () => {
  expect(readTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toEqual({ traceId: TRACE, spanId: SPAN });
  expect(readTraceparent(`cc-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN });
});

test.each([
  null,
  "",
  "00",
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-01-more`,
  `01-${TRACE}-${SPAN}-01more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ` 00-${TRACE}-${SPAN}-01\n`,
])("an invalid header is ignored: %j", (header) => {
  expect(readTraceparent(header)).toBeNull();
});
