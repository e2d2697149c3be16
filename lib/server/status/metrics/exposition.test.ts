import { expect, test } from "vitest";
import { writeExposition } from "./exposition";

test("a metric is its help, its type and a line for each sample", () => {
  const samples = [{ labels: { agent: "coder", status: "failed" }, value: 2 }, { value: 0.5 }];
  expect(writeExposition([{ name: "runs_total", type: "counter", help: "Runs.", samples }])).toBe(
    '# HELP runs_total Runs.\n# TYPE runs_total counter\nruns_total{agent="coder",status="failed"} 2\nruns_total 0.5\n',
  );
});

test("what a name contains can't end its label, its line or its help", () => {
  const labels = { agent: 'a"} 1\nfake 2\\' };
  const text = writeExposition([{ name: "n", type: "gauge", help: "a\nb\\", samples: [{ labels, value: 1 }] }]);
  expect(text).toBe('# HELP n a\\nb\\\\\n# TYPE n gauge\nn{agent="a\\"} 1\\nfake 2\\\\"} 1\n');
});

test("a metric without samples is left out", () => {
  expect(writeExposition([{ name: "n", type: "gauge", help: "h", samples: [] }])).toBe("");
});
