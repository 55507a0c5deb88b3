// Pages of feeds at the tip: each of a new ledger with activities of some accounts.

import { expect, it } from 'vitest'
import { openKeptFeeds } from './kept-feeds.ts'
import { setCheckpoint, VERSION, withFixtureApi } from './routes/testing/fixture-api.ts'
import { ALICE, BOB, CAROL, closeTime, hashOf, LAST } from './routes/testing/fixtures/network.ts'
import { leg, rows } from './routes/testing/fixtures/rows.ts'

const fixture = withFixtureApi(['soroswap'], { keptFeeds: openKeptFeeds() })
let tip = LAST

/** A ledger in which these accounts do something. */
async function nextLedger(...addresses: readonly string[]): Promise<number> {
  tip += 1
  await fixture.store.writeLedgers([{ ledger: tip, closeTimeSeconds: closeTime(tip), hash: hashOf(tip) }], BigInt(tip))
  const activities = addresses.map((address, n) => leg({ ledger: tip, tx: 900 + n, address }))
  await fixture.store.write([rows({ activities })], VERSION)
  await setCheckpoint(fixture.store, tip)
  return tip
}

interface Shown {
  readonly newest: number
  readonly ledger: unknown
  /** Statements that read rows of accounts. */
  readonly read: readonly string[]
}

const FEED = `/v1/users/${CAROL}/activities?limit=2`
const ACTIONS = `/v1/users/${CAROL}/actions?limit=2`

async function ask(path: string): Promise<Shown> {
  // Rows that were written twice and are not merged yet need a second reading.
  const read = [...new Set(await fixture.statements(path))].filter((name) => /activities|action|active_accounts/.test(name))
  const { data, meta } = await fixture.data(path)
  const items = (data.activities ?? data.actions) as { readonly ledger: number }[]
  return { newest: items[0]?.ledger ?? 0, ledger: meta.last_indexed_ledger, read }
}

it.each([
  ['activities', FEED, 'account_activities'],
  ['actions', ACTIONS, 'account_action_rows'],
])('the first page of %s is read again only after a ledger with an activity of its account', async (_, path, statement) => {
  const first = await nextLedger(CAROL)
  expect(await ask(path)).toEqual({ newest: first, ledger: first, read: [statement] })

  const ofOthers = await nextLedger(ALICE, BOB)
  expect(await ask(path)).toEqual({ newest: first, ledger: ofOthers, read: ['active_accounts'] })
  const quiet = await nextLedger()
  expect(await ask(path)).toEqual({ newest: first, ledger: quiet, read: ['active_accounts'] })

  const own = await nextLedger(BOB, CAROL)
  expect(await ask(path)).toEqual({ newest: own, ledger: own, read: [statement, 'active_accounts'] })
  const after = await nextLedger(BOB)
  expect(await ask(path)).toEqual({ newest: own, ledger: after, read: ['active_accounts'] })
})

it('a page that no request has asked for since the ledger of an activity has that activity', async () => {
  const first = await nextLedger(CAROL)
  expect((await ask(FEED)).newest).toBe(first)
  const own = await nextLedger(CAROL)
  // Other pages make the ledgers known.
  await ask(`/v1/users/${ALICE}/activities?limit=2`)
  await nextLedger(BOB)
  await ask(`/v1/users/${ALICE}/activities?limit=2`)
  expect((await ask(FEED)).newest).toBe(own)
})

it('another page, another filter, an earlier end and the oldest first are read each', async () => {
  await nextLedger(CAROL)
  await ask(FEED)
  for (const path of [`${FEED}1`, `${FEED}&to_ledger=${tip - 1}`, `${FEED}&as_of_ledger=${tip - 1}`]) {
    expect([path, (await ask(path)).read]).toEqual([path, ['account_activities']])
  }
  expect((await ask(`${FEED}&activity_type=swap`)).read).toEqual(['filtered_account_activities'])
  expect((await ask(`${FEED}&order=asc`)).read).toEqual(['account_activities_ascending'])
  expect((await ask(FEED)).read).toEqual([])
})

it('what is kept for one organization is read for another', async () => {
  await nextLedger(CAROL)
  await ask(FEED)
  const { identity } = fixture.api
  const by = { kind: 'operator', id: 'test', address: 'local' } as const
  const { organization } = await identity.addOrganization({ slug: 'other', name: 'Other', plan: 'enterprise' }, by)
  const { key } = await identity.addApiKey({ organizationId: organization.id, name: 'other', scopes: ['data:read'], expiresAtMs: null }, by)
  expect(await fixture.statements(FEED, key)).toContain('account_activities')
  expect(await fixture.statements(FEED, key)).not.toContain('account_activities')
})
