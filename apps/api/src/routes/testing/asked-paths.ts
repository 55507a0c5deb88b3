// Requests for every route that the fixtures of all protocols can answer.

import { routes } from '../../testing/all-routes.ts'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'
import {
  ALICE,
  AQUA_POOL,
  BOB,
  hashOf,
  LOCKING,
  NEW,
  OTHER_CONTRACT,
  PAIR,
  POOL,
  POOL_2,
  USDC,
  USDX,
  VAULTS,
  XLM,
} from './fixtures/network.ts'

const IDS = TESTED_PROTOCOLS.map(({ id }) => id)

/** Values for the parameters of paths. `address` is an account, an indexed contract, or an unknown contract. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  address: [ALICE, BOB, POOL, VAULTS, OTHER_CONTRACT],
  pool_id: [POOL, POOL_2],
  pair: [PAIR],
  currency: ['USD'],
  hash: [1, 40, 41, 42].map(hashOf),
  name: ['pool_snapshots', 'net_worth'],
  id: IDS,
  sequence: ['100'],
}

/** One of each kind of pool. */
const POOLS = [POOL, PAIR, AQUA_POOL, 'fxdao:USD', LOCKING]

function valuesOf(path: string, name: string): readonly string[] {
  const isAsset = name === 'id' && path.startsWith('/v1/assets/')
  const isPool = path.startsWith('/v1/pools/')
  const values = isPool ? POOLS : name === 'pair' && path.includes('/aquarius/') ? [AQUA_POOL] : isAsset ? [USDC, XLM, USDX] : VALUES[name]
  if (values === undefined) throw new Error(`${path} has a parameter ${name}: say what it may be asked with.`)
  return values
}

/** What a path asks besides. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/v1/users/:address/activities': IDS.map((id) => `?protocol=${id}`),
  '/v1/users/:address/activities/series': ['?interval=1d'],
  '/v1/protocols/:id/reserves': ['', '?as_of_ledger=150'],
  '/v1/pools': ['', '?sort=apy&limit=3', `?asset=${XLM}`],
  '/v1/pools/:pool_id/history': ['?range=24h', '?as_of_ledger=150'],
  '/v1/assets/:id/prices': ['?range=24h'],
  '/v1/prices': [`?assets=${[USDX, NEW, XLM]}`, `?assets=${XLM}&as_of_ledger=150`, `?assets=${XLM}&at=2026-09-01T13:00:00Z`],
  '/v1/positions': [
    `?addresses=${[ALICE, BOB, POOL, VAULTS, OTHER_CONTRACT]}`,
    `?addresses=${[BOB, ALICE]}&view=summary`,
    `?addresses=${ALICE}&as_of_ledger=150`,
  ],
  '/v1/users/:address/history': ['', '?range=24h&fill=zero'],
  '/v1/ledgers': ['?at=2026-09-01T13:00:00Z'],
}

/** Every route, and requests for it that the fixtures can answer. */
export const ASKED_PATHS: readonly { readonly path: string; readonly urls: readonly string[] }[] = routes.map(({ path }) => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const paths = names.reduce<string[]>(
    (made, name) => made.flatMap((it) => valuesOf(path, name).map((value) => it.replace(`:${name}`, value))),
    [path],
  )
  return { path, urls: paths.flatMap((it) => (QUERIES[path] ?? ['']).map((query) => it + query)) }
})
