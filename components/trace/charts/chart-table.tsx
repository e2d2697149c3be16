import { bucketName, CHART_LABELS, CHARTS, figureLabel, statusCounts } from "@/lib/client/trace/charts/chart-labels";
import type { TraceCharts } from "@/lib/schema/traces/list/charts";

/** What the charts show, for who can't see them: a row for each bar that has runs. */
export function ChartTable({ charts: { buckets, unit, total } }: { charts: TraceCharts }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Runs by time</caption>
        <thead>
          <tr>
            <th scope="col">Began</th>
            {CHARTS.map((name) => (
              <th key={name} scope="col">
                {CHART_LABELS[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets
            .filter(({ runs }) => runs > 0)
            .map((bucket) => (
              <Row key={bucket.since} name={bucketName(unit, bucket.since)} figures={bucket} />
            ))}
          <Row name="All" figures={total} />
        </tbody>
      </table>
    </div>
  );
}

function Row({ name, figures }: { name: string; figures: TraceCharts["total"] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {CHARTS.map((chart) => {
        const { value, note } = figureLabel(chart, figures);
        const more = chart === "runs" ? statusCounts(figures) : note;
        return <td key={chart}>{more === "" ? value : `${value}, ${more}`}</td>;
      })}
    </tr>
  );
}
