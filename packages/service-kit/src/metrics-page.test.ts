import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { METRICS_OF } from './metric-declarations.ts'

const page = readFileSync(new URL('../../../docs/operations/metrics.md', import.meta.url), 'utf8')
const PROCESSES = ['ingest', 'adapter', 'api', 'notify'] as const

/** The rows of the page's table: name, type, labels, processes, meaning, query. */
const rows = page.split('\n').flatMap((line) => {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
  return cells[1]?.startsWith('`orrery_') ? [cells.slice(1, -1)] : []
})

it('the page of metrics lists exactly the declared metrics, each with its processes, labels, meaning and query', () => {
  const declared = Object.values(METRICS_OF.up).map(({ name, type, labels, help, promql }) => {
    const of = PROCESSES.filter((process) => Object.values(METRICS_OF[process]).some((metric) => metric.name === name))
    return [`\`${name}\``, type, labels.join(', '), of.length === 0 ? 'only up' : of.join(', '), help, `\`${promql}\``]
  })
  expect(rows).toEqual(declared)
})
