const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** "12 KB": at most three digits and a unit, in steps of 1024. */
export function formatSize(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
