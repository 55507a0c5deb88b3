import { startClickHouseHost } from '../packages/read-model/src/host/start-host.ts'
import { PINNED_SETTINGS, readSettings } from '../packages/read-model/src/connection.ts'
import { accountActionRows } from '../packages/read-model/src/queries/account-actions.ts'
import { createClient, TupleParam } from '@clickhouse/client'
import { cpuSeconds } from './src/process-usage.ts'
const host = await startClickHouseHost({ dir: '/tmp/b14/data/clickhouse' })
const a = host.address('api' as never)
const mk = (s: object) => createClient({ url: a.url, username: a.user, password: '', database: a.database, http_headers: { ...a.headers } as never, set_basic_auth_header: false, clickhouse_settings: s as never, max_open_connections: 4 })
const full = mk(PINNED_SETTINGS); const bare = mk({})
const rows = await (await full.query({ query: "SELECT address FROM activities WHERE address != '' GROUP BY address ORDER BY startsWith(address, 'G') DESC, count() DESC, address LIMIT 82", format: 'JSONEachRow' })).json<{address: string}>()
const q = accountActionRows.desc
const params = (n: number) => ({ address: rows[n % rows.length]!.address, from_ledger: 0, to_ledger: 4294967295, watermark: 4294967295, after_ledger: 4294967295, after_tx_order: 4294967295, rows: 115, active: ['aquarius','blend','fxdao','soroswap'].map((p) => new TupleParam([p, ({ blend: 1 } as any)[p] ?? 1])) })
const rs = { ...readSettings(10, 2e9), ...q.settings, log_comment: JSON.stringify({ query: 'x', route: '/v1/users/:address/actions', request_id: 'abcdefghijklm' }) }
type V = [string, (n: number) => Promise<number>]
const run = async (c: typeof full, query: string, format: string, s: object, n: number) => { const r = await c.exec({ query: `${query} FORMAT ${format}`, query_params: params(n) as never, clickhouse_settings: s as never }); let len = 0; for await (const ch of r.stream) len += ch.length; return len }
const variants: V[] = [
  ['now', (n) => run(full, q.sql, 'JSONEachRow', rs, n)],
  
  
  
  
  
  ['select 1', (n) => run(full, 'SELECT 1', 'JSONEachRow', rs, n)],
  
  ['count', (n) => run(full, q.sql.replace(/SELECT[^]*?FROM/, 'SELECT ledger FROM'), 'JSONEachRow', rs, n)],
  ['explain', (n) => run(full, 'EXPLAIN ' + q.sql, 'TSV', rs, n)],
]
const extra = process.argv[2]; if (extra) { const m = await import(extra); variants.push(...m.default({ run, full, bare, rs, q })) }
const sum = new Map<string, [number, number, number, number]>()
for (let round = 0; round < 12; round++) for (const [name, f] of variants) {
  const c0 = cpuSeconds(host.pid), t0 = performance.now(); let len = 0
  for (let n = 0; n < 60; n++) len += await f(n + round)
  const s = sum.get(name) ?? [0, 0, 0, 1e9]; const c = cpuSeconds(host.pid) - c0
  if (round > 0) sum.set(name, [s[0] + c, s[1] + performance.now() - t0, s[2] + len, Math.min(s[3], c)])
}
for (const [name, [c, t, len, min]] of sum) console.log(name.padEnd(16), 'cpu', (1000 * c / 660).toFixed(2), 'best', (1000 * min / 60).toFixed(2), 'wall', (t / 660).toFixed(2), 'bytes', Math.round(len / 660))
await full.close(); await bare.close(); await host.stop(); process.exit(0)
