// Percentiles of measured values, without assuming a distribution.

/** The value that `share` (0 to 1) of the sorted values do not exceed. NaN for an empty list. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
