import { describe, expect, it } from 'vitest'
import { METRICS } from './metric-declarations.ts'
import { createMetrics } from './metrics.ts'

const SUFFIX = { counter: /_total$/, gauge: /_(seconds|bytes|ledgers|number|requests)$/, histogram: /_(seconds|bytes)$/ }

describe('each declared metric', () => {
  it.each(Object.values(METRICS))('$name has a valid name, help and query', ({ type, name, help, promql }) => {
    expect(name).toMatch(/^orrery_(fetch|extract|route|append|ingest|fold|write|adapter|api|engine|verify)_[a-z_]+$/)
    expect(name).toMatch(SUFFIX[type])
    expect(help).toMatch(/^[A-Z].*\.$/)
    expect(promql).toContain(type === 'histogram' ? `${name}_bucket` : name)
  })

  it('each metric is declared once', () => {
    const names = Object.values(METRICS).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a registry', () => {
  it('a metric shows its value, its help and its query', async () => {
    const metrics = createMetrics()
    metrics.extractUnknown.inc({ protocol: 'soroswap', reason: 'event' }, 2)
    metrics.fetchLedgers.inc(64)
    metrics.adapterLagLedgers.set({ protocol: 'soroswap', partition: '1' }, 7)
    metrics.foldSeconds.observe({ protocol: 'soroswap' }, 0.002)
    const text = await metrics.registry.metrics()
    expect(text).toContain('orrery_extract_unknown_total{protocol="soroswap",reason="event"} 2')
    expect(text).toContain('orrery_fetch_ledgers_total 64')
    expect(text).toContain('orrery_adapter_lag_ledgers{protocol="soroswap",partition="1"} 7')
    expect(text).toContain('orrery_fold_duration_seconds_bucket{le="0.0025",protocol="soroswap"} 1')
    expect(text).toContain('# HELP orrery_fetch_ledgers_total Ledgers read from the source. Read: rate(orrery_fetch_ledgers_total[5m])')
  })

  it('two registries have separate values', async () => {
    createMetrics().fetchLedgers.inc(5)
    expect(await createMetrics().registry.metrics()).toContain('orrery_fetch_ledgers_total 0')
  })

  it('a label that was not declared is refused', () => {
    const metrics = createMetrics()
    expect(() => metrics.apiRequestSeconds.observe({ account: 'G' } as never, 1)).toThrow(/account/)
  })

  it('metrics of the process are included on request', async () => {
    expect(await createMetrics({ ofProcess: true }).registry.metrics()).toContain('process_resident_memory_bytes')
  })
})
