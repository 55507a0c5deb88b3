// Alerts, their pages and the board name metrics that exist. promtool tests what the alerts do (scripts/test.mjs, second tier).

import { readFileSync } from 'node:fs'
import { METRICS } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const rules = read('infra/prometheus/orrery.rules.yml')
const cases = read('infra/prometheus/orrery.test.yml')
const page = read('docs/operations/alerts.md')
const board = JSON.parse(read('infra/grafana/orrery.json')) as {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
}

interface Alert {
  readonly name: string
  readonly expr: string
  readonly for: string
  readonly severity: string
  readonly runbook: string
}

/** The rules have one shape, and each expression is one quoted line. */
const alerts: readonly Alert[] = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => {
    const found = (pattern: RegExp): string => pattern.exec(rule)?.[1] ?? ''
    return {
      name: found(/^(\w+)$/m),
      expr: found(/^ {8}expr: '(.*)'$/m).replaceAll("''", "'"),
      for: found(/^ {8}for: (\w+)$/m),
      severity: found(/severity: (\w+)/),
      runbook: found(/runbook: (\S+)$/m),
    }
  })

/** The label that a histogram has in queries, those that a scrape adds, and the metric of Prometheus itself. */
const OF_PROMETHEUS = { labels: ['le', 'job', 'instance'], metrics: ['up'] }
const declared = new Map(
  Object.values(METRICS).flatMap(({ name, type, labels }) =>
    (type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]).map((series) => [
      series,
      labels as readonly string[],
    ]),
  ),
)

/** What a query names and no process exports. */
function unknownIn(expr: string): string[] {
  const metrics = [...new Set(expr.match(/\borrery_\w+/g) ?? [])]
  const selected = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', selectors = '']) =>
    [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  )
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  )
  const allLabels = [...OF_PROMETHEUS.labels, ...metrics.flatMap((metric) => declared.get(metric) ?? [])]
  return [
    ...metrics.filter((metric) => !declared.has(metric)),
    ...selected
      .filter(({ metric, label }) => ![...OF_PROMETHEUS.labels, ...(declared.get(metric) ?? [])].includes(label))
      .map(({ metric, label }) => `${metric}{${label}}`),
    ...grouped.filter((label) => !allLabels.includes(label)),
  ]
}

describe('an alert', () => {
  it('has a name, a query, a severity and the address of its section', () => {
    expect(alerts.length).toBeGreaterThan(0)
    for (const alert of alerts) {
      expect(alert.name).toMatch(/^Orrery[A-Z]\w+$/)
      expect(alert.severity).toMatch(/^(page|ticket)$/)
      expect(alert.runbook).toBe(`docs/operations/alerts.md#${alert.name.toLowerCase()}`)
    }
  })

  it('has a section in the page of alerts with its query, what it means, whether it is real and what to do, and each section has an alert', () => {
    const sections = page.split(/^## /m).slice(1)
    expect(sections.map((section) => /^\w+/.exec(section)?.[0])).toEqual(alerts.map(({ name }) => name))
    for (const [index, alert] of alerts.entries()) {
      const section = sections[index] ?? ''
      expect(section).toContain(`\`${alert.severity}\` · \`${alert.expr}\` for ${alert.for}`)
      expect(section).toMatch(/\*\*Means:\*\* \S[\s\S]*\*\*Real\?\*\* \S[\s\S]*\*\*Do:\*\* \S/)
    }
  })

  it('names only metrics and labels that a process exports', () => {
    expect(alerts.flatMap(({ name, expr }) => unknownIn(expr).map((unknown) => `${name}: ${unknown}`))).toEqual([])
    const metrics = alerts.flatMap(({ expr }) => expr.match(/\b(?:orrery_\w+|up)\b/g) ?? [])
    expect(metrics.length).toBeGreaterThanOrEqual(alerts.length)
  })

  it('has a case for promtool that raises it and one that does not', () => {
    const names = [...cases.matchAll(/^ {2}- name: (.+)$/gm)].map((match) => match[1])
    expect(names).toEqual(alerts.flatMap(({ name }) => [`${name} is raised`, `${name} is not raised`]))
    const series = [...cases.matchAll(/^ {6}- series: '(.*)'$/gm)].map((match) => match[1] ?? '')
    expect(series.flatMap(unknownIn)).toEqual([])
  })

  it('with a metric or a label that does not exist is found', () => {
    expect(unknownIn('max(orrery_ingest_lag_minutes)')).toEqual(['orrery_ingest_lag_minutes'])
    expect(unknownIn('max by (pool) (orrery_index_gap_ledgers{account="G"})')).toEqual(['orrery_index_gap_ledgers{account}', 'pool'])
  })
})

describe('the board', () => {
  it('names only metrics and labels that a process exports, also in its legends', () => {
    const unknown = board.panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '')
        const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []
        return [...unknownIn(expr), ...legend.filter((label) => !grouped.includes(label))].map((name) => `${title}: ${name}`)
      }),
    )
    expect(unknown).toEqual([])
    expect(board.panels.every(({ targets }) => targets.length > 0 && targets.every(({ expr }) => expr.includes('orrery_')))).toBe(true)
  })
})
