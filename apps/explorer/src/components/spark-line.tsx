// A line without axes, beside a figure that says its last value.

const [WIDTH, HEIGHT] = [120, 32]

export function SparkLine({ values }: { readonly values: readonly string[] }) {
  const heights = values.map(Number)
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  const place = (value: number, n: number): string => {
    const x = (n / Math.max(1, heights.length - 1)) * WIDTH
    const y = HEIGHT - 2 - ((value - low) / (high - low || 1)) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  }
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={heights.map(place).join(' ')} />
    </svg>
  )
}
