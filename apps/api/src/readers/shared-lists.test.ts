import { expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { closeTime, hashOf, PAIR, whole } from '../routes/testing/fixtures/network.ts'
import { rows, SOROSWAP_ROWS, stateRow } from '../routes/testing/fixtures/rows.ts'

const IDS = ['soroswap', 'blend'] as const
const fixture = withFixtureApi(IDS)

const tvlOf = async (query = ''): Promise<unknown> => {
  const { pools } = (await fixture.data(`/v1/pools${query}`)).data as { pools: readonly { pool_id: string; tvl_usd: string }[] }
  return pools.find(({ pool_id }) => pool_id === PAIR)?.tvl_usd
}

/** Statements of a list of pools: rows of state, and the rows that announced the pools. */
const ofLists = (names: readonly string[]) => names.filter((name) => name.startsWith('state_') || name === 'first_state_rows')

async function moveTo(ledger: number): Promise<void> {
  await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
  for (const id of IDS) await setCheckpoint(fixture.store, ledger, ledger, id)
}

it('requests that arrive together share one reading of each list, and later ones of any order and filter read nothing', async () => {
  const together = await Promise.all(Array.from({ length: 4 }, () => fixture.statements('/v1/pools')))
  expect(together.flat().filter((name) => name === 'first_state_rows')).toHaveLength(IDS.length)
  for (const query of ['?sort=apy', '?sort=volume&limit=1', '?type=lending', '?min_tvl_usd=1000']) {
    expect(ofLists(await fixture.statements(`/v1/pools${query}`))).toEqual([])
  }
})

it('a list follows the watermark, and rows after it do not show', async () => {
  expect(await tvlOf()).toBe('4500')
  // 3,000 USDC and 10,000 XLM: 3,000 + 2,500 USD.
  const stored = SOROSWAP_ROWS.state.find(({ contract, key }) => contract === PAIR && key === 'pair')
  const pair = { ...JSON.parse(stored?.value ?? ''), reserve_0: String(whole(3_000)) }
  await fixture.store.write([rows({ state: [stateRow('soroswap', PAIR, 'pair', 221, pair)] })], VERSION)
  expect(await tvlOf()).toBe('4500')
  await moveTo(221)
  expect(await tvlOf()).toBe('5500')
})
