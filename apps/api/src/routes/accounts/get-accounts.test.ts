import { Decimal } from '@orrery/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'
import { setCheckpoint, VERSION, withFixtureApi } from '../testing/fixture-api.ts'
import { BLND, BOB, CAROL, closeTime, hashOf, OTHER_CONTRACT, PAIR, POOL } from '../testing/fixtures/network.ts'
import { rows, stateRow } from '../testing/fixtures/rows.ts'

const IDS = TESTED_PROTOCOLS.map(({ id }) => id)
const SORTS = ['health_factor', 'net_usd', 'borrowed_usd'] as const
type Sort = (typeof SORTS)[number]
const fixture = withFixtureApi(IDS)

/** Beside the accounts of the fixtures two with equal positions, so that only the address decides their order. */
beforeAll(async () => {
  const positions = { supply: { 0: '5000000' }, collateral: { 0: '1234567891' }, liabilities: { 1: '987654321' } }
  const state = [BOB, CAROL].flatMap((owner) => [
    stateRow('soroswap', PAIR, `@${owner}:shares`, 219, { amount: '7777777' }, { owner }),
    stateRow('blend', POOL, `@${owner}:positions`, 219, positions, { owner }),
  ])
  await fixture.store.write([rows({ state })], VERSION)
})

interface Item {
  readonly address: string
  readonly pool_id: string
  readonly deposited_usd: string
  readonly borrowed_usd: string
  readonly net_usd: string
  readonly health_factor: string | null
  readonly borrow_limit_pct: string | null
}

interface Listed {
  readonly positions: readonly Item[]
  readonly next_cursor: string | null
}

const list = async (protocol: string, query = ''): Promise<Listed> =>
  (await fixture.data(`/v1/protocols/${protocol}/accounts${query}`)).data as unknown as Listed

async function paged(protocol: string, query: string, limit: number): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Listed = await list(protocol, `?limit=${limit}${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    found.push(...page.positions)
    cursor = page.next_cursor
  }
  return found
}

interface Portfolio {
  readonly protocols: readonly {
    readonly protocol_id: string
    readonly pools: readonly Item[]
    readonly positions: Record<string, { readonly contract: string }[]>
  }[]
}

/** The items of every account by its own portfolio: pools with an item. */
async function expected(protocol: string): Promise<Item[]> {
  const accounts = await fixture.readModel.stateAsOf({ protocol: protocol as never, ledger: 220, contracts: await contracts() }, CALL)
  const addresses = [...new Set(accounts.map(({ owner }) => owner))].filter((owner) => owner !== '')
  const all = await Promise.all(
    addresses.map(async (address) => {
      const { data } = await fixture.data(`/v1/users/${address}/positions`)
      const { protocols } = data as unknown as Portfolio
      return protocols
        .filter((entry) => entry.protocol_id === protocol)
        .flatMap(({ pools }) => pools)
        .filter(({ deposited_usd, borrowed_usd }) => deposited_usd !== '0' || borrowed_usd !== '0')
        .map(({ pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct }) => ({
          ...{ address, pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct },
        }))
    }),
  )
  return all.flat()
}

const CALL = { tag: { route: 'test', requestId: 'test' } }

async function contracts(): Promise<string[]> {
  const { data } = await fixture.data('/v1/pools')
  const { pools } = data as { pools: { contract: string }[] }
  return [...new Set(pools.map(({ contract }) => contract))]
}

function sorted(items: readonly Item[], sort: Sort): Item[] {
  const text = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
  const value = (a: Item, b: Item): number => {
    const [one, other] = [a[sort], b[sort]]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order = new Decimal(one).comparedTo(other) ?? 0
    return sort === 'health_factor' ? order : -order
  }
  return [...items].sort((a, b) => value(a, b) || text(a.pool_id, b.pool_id) || text(a.address, b.address))
}

/** Positions without a priced part are in the list too. */
const valued = (items: readonly Item[]): Item[] => items.filter((item) => item.deposited_usd !== '0' || item.borrowed_usd !== '0')

describe('GET /v1/protocols/{id}/accounts', () => {
  for (const protocol of IDS) {
    for (const sort of SORTS.filter((one) => one !== 'health_factor' || protocol === 'blend' || protocol === 'fxdao')) {
      it(`lists the positions that the portfolios of all accounts in ${protocol} have, by ${sort}`, async () => {
        const all = sorted(await expected(protocol), sort)
        expect(all.length).toBeGreaterThan(0)
        for (const limit of [1, 2, 100]) expect(valued(await paged(protocol, `&sort=${sort}`, limit))).toEqual(all)
      })
    }
  }

  it('filters by health factor and by pool', async () => {
    const all = await expected('blend')
    const owing = sorted(
      all.filter((item) => item.health_factor !== null),
      'health_factor',
    )
    expect(owing.length).toBeGreaterThan(0)
    const least = owing[0]?.health_factor ?? ''
    const bound = new Decimal(least).decimalPlaces(8, Decimal.ROUND_UP).plus('0.00000001').toFixed()
    expect((await list('blend', `?sort=health_factor&health_factor_below=${bound}`)).positions).toEqual(
      owing.filter(({ health_factor }) => new Decimal(health_factor ?? '').lt(bound)),
    )
    expect((await list('blend', '?health_factor_below=0')).positions).toEqual([])
    expect((await list('blend', `?pool=${POOL}`)).positions).toEqual(
      sorted(
        all.filter(({ pool_id }) => pool_id === POOL),
        'net_usd',
      ),
    )
  })

  it('refuses what a protocol does not have', async () => {
    const refusal = (path: string) => fixture.refusal(`/v1/protocols/${path}`)
    for (const protocol of ['soroswap', 'aquarius']) {
      expect(await refusal(`${protocol}/accounts?sort=health_factor`)).toMatchObject({ status: 400, code: 'invalid_parameter' })
      expect(await refusal(`${protocol}/accounts?health_factor_below=1`)).toMatchObject({ status: 400, code: 'invalid_parameter' })
    }
    expect(await refusal('blend/accounts?sort=tvl')).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(await refusal('blend/accounts?limit=101')).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(await refusal('blend/accounts?health_factor_below=-1')).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(await refusal('blend/accounts?order=asc')).toMatchObject({ status: 400, code: 'unknown_parameter' })
    expect(await refusal('nothing/accounts')).toMatchObject({ status: 404, code: 'not_found' })
    for (const pool of [PAIR, BLND, OTHER_CONTRACT, 'fxdao:USD']) {
      expect(await refusal(`blend/accounts?pool=${pool}`)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  it('refuses a cursor of another list, and accepts it with another limit', async () => {
    const { next_cursor } = await list('blend', '?limit=1')
    for (const path of [
      'fxdao/accounts?',
      'blend/accounts?sort=borrowed_usd&',
      `blend/accounts?pool=${POOL}&`,
      'blend/accounts?health_factor_below=2&',
    ]) {
      expect(await fixture.refusal(`/v1/protocols/${path}cursor=${next_cursor}`)).toMatchObject({ status: 400, code: 'invalid_cursor' })
    }
    expect((await list('blend', `?limit=2&cursor=${next_cursor}`)).positions).toEqual((await list('blend')).positions.slice(1, 3))
  })

  it('gets 304 for the same answer', async () => {
    const path = '/v1/protocols/fxdao/accounts?sort=health_factor'
    const { headers } = await fixture.api.ask(path)
    expect((await fixture.api.ask(path, { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
  })

  it('a later page is of the first page’s ledger', async () => {
    const pool = `&pool=${PAIR}`
    const before = await paged('soroswap', pool, 1)
    const first = await list('soroswap', `?limit=1${pool}`)
    const owner = before[1]?.address ?? ''
    const gone = stateRow('soroswap', PAIR, `@${owner}:shares`, 221, { amount: '0' }, { owner })
    await fixture.store.write([rows({ state: [gone] })], VERSION)
    await fixture.store.writeLedgers([{ ledger: 221, closeTimeSeconds: closeTime(221), hash: hashOf(221) }], 2n)
    for (const id of IDS) await setCheckpoint(fixture.store, 221, 221, id)
    const now = await paged('soroswap', pool, 1)
    expect(now.map(({ address }) => address)).not.toContain(owner)
    expect((await list('soroswap', `?limit=1${pool}&cursor=${first.next_cursor}`)).positions).toEqual(before.slice(1, 2))
  })
})
