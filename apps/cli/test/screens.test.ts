// The screens of a wallet, each in as few requests as docs/wallet-screens.md says, with every member that it shows.

import { isShippedRecording } from '@orrery/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BLEND_POOL_MEMBERS, OWN_BLEND_POSITION_MEMBERS } from './screens/blend-pool.ts'
import { CountingClient } from './screens/counting-client.ts'
import { missingFrom } from './screens/members.ts'
import { POOL_EXPLORER_MEMBERS } from './screens/pool-explorer.ts'
import { NET_WORTH_MEMBERS, PORTFOLIO_MEMBERS } from './screens/portfolio.ts'
import { WholeNetwork } from './truth/whole-network.ts'

/** `user07` of the recording, with positions in all four protocols. */
const ACCOUNT = 'GAHSDYDIQTNM32TC45PEFQ5CGK3IOFYMS3ZN7JCZQLUWQC26L6JI6ZY3'
/** `blend-borrower1`: it has supply, collateral and debt in the pool. */
const BORROWER = 'GAX4Q2AQBI62BEW33OVPO732UPBGGEZ2JE6OINJ6ANFCMMXXOR6TEKGA'
const POOL = 'CCWN2FCHXWVXAHA2RUHG4WYEORJ2UXGAYE4HJA4SDAVBKQUIXZIFPRM4'

describe.runIf(isShippedRecording)('the screens of a wallet, by the shipped recording', () => {
  let network: WholeNetwork
  let client: CountingClient
  beforeAll(async () => {
    network = await WholeNetwork.open()
  }, 900_000)
  beforeEach(() => {
    client = new CountingClient(network)
  })
  afterAll(() => network[Symbol.asyncDispose]())

  it('the portfolio with its chart of 30 days takes two requests, and the chart ends at the headline', async () => {
    const portfolio = await client.get(`/v1/users/${ACCOUNT}/positions`)
    const chart = await client.get(`/v1/users/${ACCOUNT}/history?range=30d&fill=locf`)
    expect(client.count).toBe(2)
    expect(missingFrom(portfolio, PORTFOLIO_MEMBERS)).toEqual([])
    expect(missingFrom(chart, NET_WORTH_MEMBERS)).toEqual([])
    // 30 days before the last ledger begin within a day: 31 days of UTC.
    expect(chart.data.points).toHaveLength(31)
    expect(chart.data.points.at(-1).net_usd).toBe(portfolio.data.total_value_usd)
  })

  it('the page of a Blend pool takes two requests: the pool, and what the account has in it', async () => {
    const pool = await client.get(`/v1/pools/${POOL}`)
    const own = await client.get(`/v1/users/${BORROWER}/positions/blend/${POOL}`)
    expect(client.count).toBe(2)
    expect(missingFrom(pool, BLEND_POOL_MEMBERS)).toEqual([])
    expect(missingFrom(own, OWN_BLEND_POSITION_MEMBERS)).toEqual([])
    expect(own.data.pool.pool_name).toBe(pool.data.name)
  })

  it('the list of pools takes one request, and has the pools of all protocols', async () => {
    const list = await client.get('/v1/pools?limit=100')
    expect(client.count).toBe(1)
    expect(missingFrom(list, POOL_EXPLORER_MEMBERS)).toEqual([])
    const { pools, next_cursor } = list.data as { pools: { protocol: string }[]; next_cursor: string | null }
    expect([[...new Set(pools.map(({ protocol }) => protocol))].sort(), next_cursor]).toEqual([
      ['aquarius', 'blend', 'fxdao', 'soroswap'],
      null,
    ])
  })

  it.each(['blend', 'fxdao'])(
    'the positions of %s that are close to a liquidation take one request, the weakest first',
    async (protocol) => {
      const { data } = await client.get(`/v1/protocols/${protocol}/accounts?sort=health_factor&health_factor_below=1.1&limit=100`)
      expect(client.count).toBe(1)
      const weak: WeakPosition[] = data.positions
      const factors = weak.map(({ health_factor }) => Number(health_factor))
      expect(factors).toEqual([...factors].sort((a, b) => a - b))
      // Those of the portfolios, which compute each health factor by the account.
      const addresses = [...new Set(weak.map(({ address }) => address))]
      const { data: bulk } = await network.get(`/v1/positions?view=summary&addresses=${addresses.join(',')}`)
      const found = bulk.portfolios.flatMap(({ address, protocols }: Portfolio) =>
        protocols
          .filter(({ protocol_id }) => protocol_id === protocol)
          .flatMap(({ pools }) => pools)
          .filter(({ health_factor }) => health_factor !== null && Number(health_factor) < 1.1)
          .map(({ pool_id, health_factor }) => `${address} ${pool_id} ${health_factor}`),
      )
      expect(weak.length).toBeGreaterThan(0)
      expect(weak.map(({ address, pool_id, health_factor }) => `${address} ${pool_id} ${health_factor}`).sort()).toEqual(found.sort())
    },
  )
})

interface WeakPosition {
  readonly address: string
  readonly pool_id: string
  readonly health_factor: string
}

interface Portfolio {
  readonly address: string
  readonly protocols: readonly {
    readonly protocol_id: string
    readonly pools: readonly { readonly pool_id: string; readonly health_factor: string | null }[]
  }[]
}
