import { describe, expect, it } from 'vitest'
import { METRICS, METRICS_OF, type MetricsOwner } from './metric-declarations.ts'
import { createMetrics } from './metrics.ts'

const SUFFIX = {
  counter: /_total$/,
  gauge: /_(seconds|bytes|ledgers|number|requests|streams|partitions|status|info)$/,
  histogram: /_(seconds|bytes)$/,
}

describe('each declared metric', () => {
  it.each(Object.values(METRICS))('$name has a valid name, help and query', ({ type, name, help, promql }) => {
    expect(name).toMatch(
      /^orrery_(fetch|extract|route|append|ingest|fold|write|adapter|api|index|engine|part|log|store|build|verify|webhook)_[a-z_]+$/,
    )
    expect(name).toMatch(SUFFIX[type])
    expect(help).toMatch(/^[A-Z].*\.$/)
    expect(promql).toContain(type === 'histogram' ? `${name}_bucket` : name)
  })

  it('each metric is declared once', () => {
    const names = Object.values(METRICS).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a process', () => {
  const namesOf = async (of: MetricsOwner) =>
    [...(await createMetrics({ of }).registry.metrics()).matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1] as string)

  it.each<[MetricsOwner, RegExp]>([
    ['ingest', /^orrery_(build|log|store|fetch|extract|route|append|ingest)_/],
    ['adapter', /^orrery_(build|log|store|extract_unknown|fold|write|adapter)_/],
    ['api', /^orrery_(build|store|api|index|verify)_/],
    ['notify', /^orrery_(build|store|webhook)_/],
    ['up', /^orrery_/],
  ])('%s exports the metrics of its own parts and no others', async (of, own) => {
    const names = await namesOf(of)
    expect(names.filter((name) => !own.test(name))).toEqual([])
    expect(names.sort()).toEqual(
      Object.values(METRICS_OF[of])
        .map(({ name }) => name)
        .sort(),
    )
  })

  it('orrery up exports the metrics of all of its parts', async () => {
    const all = new Set(await namesOf('up'))
    for (const process of ['ingest', 'adapter', 'api', 'notify'] as const)
      expect((await namesOf(process)).filter((name) => !all.has(name))).toEqual([])
  })

  it('a ledger or an age is absent until it is known, and never 0 instead', async () => {
    const text = await createMetrics({ of: 'ingest' }).registry.metrics()
    expect(text).toContain('# TYPE orrery_ingest_lag_seconds gauge')
    expect(text).not.toMatch(/^orrery_ingest_(ledger_number|lag_seconds|lag_ledgers) /m)
  })

  it('a process exports its version and that of Node', async () => {
    expect(await createMetrics({ of: 'api' }).registry.metrics()).toMatch(
      /orrery_build_info\{version="\d+\.\d+\.\d+",commit="[^"]*",node="24\.[\d.]+"\} 1/,
    )
  })
})

describe('a registry', () => {
  it('what is computed at a scrape is called before each one, until it is forgotten', async () => {
    const metrics = createMetrics()
    let seconds = 0
    const forget = metrics.onScrape(() => metrics.ingestLagSeconds.set(++seconds))
    expect(await metrics.registry.metrics()).toContain('\norrery_ingest_lag_seconds 1\n')
    expect(await metrics.registry.metrics()).toContain('\norrery_ingest_lag_seconds 2\n')
    forget()
    expect(await metrics.registry.metrics()).toContain('\norrery_ingest_lag_seconds 2\n')
  })

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
