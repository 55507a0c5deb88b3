import { mkdtempSync, existsSync } from 'node:fs'
import { keysOfOthers, liftLimit, queryRows, report } from '/work/main/bench/src/load.ts'
import { startOrrery } from '/work/main/bench/src/orrery.ts'
const data = process.env.DATA ?? ''
const SECONDS = Number(process.argv[2] ?? 5)
const only = process.argv[3] ?? ''
const fresh = !existsSync(data)
await using orrery = await startOrrery(data)
if (fresh) { await orrery.caughtUp(); await liftLimit(data, orrery.ready) }
else await new Promise((r) => setTimeout(r, 4000))
const rows = await queryRows<{address: string}>(orrery.ready, `SELECT address FROM activities WHERE address != '' GROUP BY address ORDER BY startsWith(address, 'G') DESC, count() DESC, address LIMIT 100`)
const keyfile = data + '/keys.json'
const { readFileSync, writeFileSync } = await import('node:fs')
if (!existsSync(keyfile)) writeFileSync(keyfile, JSON.stringify(await keysOfOthers(data, 3000)))
const keys = JSON.parse(readFileSync(keyfile, 'utf8'))
const each = (path: string) => rows.map(({ address }) => `/v1/users/${address}${path}`)
const all = [
  { name: 'actions', paths: each('/actions?limit=50') },
  { name: 'networth', paths: each('/history?range=30d&fill=locf') },
  { name: 'portfolio', paths: each('/positions') },
  { name: 'pools', paths: ['/v1/pools'] },
].filter(({ name }) => only === '' || only.split(',').includes(name))
await report(orrery, all, SECONDS, [{ answers: 'computed', keys }])
