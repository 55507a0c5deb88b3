// Activities through `/v1`: every recorded action of FxDAO is found with the accounts that it changed.

import { decodeEventKey } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { everyAddress, feedOf } from './truth/feeds.ts'
import { answersByLedger, each, raw } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork

beforeAll(async () => {
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** What an account did in FxDAO, as `ledger/place in the ledger`. */
async function placesOf(address: string): Promise<Map<string, Answer['data'][]>> {
  return Map.groupBy(await feedOf(whole, address, '&protocol=fxdao'), ({ id }) => {
    const { ledger, txOrder } = decodeEventKey(id)
    return `${ledger}/${txOrder}`
  })
}

describe('actions of FxDAO', () => {
  it('the recorded actions of FxDAO are with their amounts in the feeds of the accounts that they changed, and failed actions are in none', async () => {
    const vaultActions = await answersOf('fxdao.action')
    const lockingActions = await answersOf('fxdao.locking_action')
    const management = (await answersOf('fxdao.management')).filter(({ contract }) => isOfProtocol(contract))
    const all = [...vaultActions, ...lockingActions, ...management]
    const feeds = new Map<string, Awaited<ReturnType<typeof placesOf>>>()
    const accounts = new Set([...all.flatMap(accountsOf), ...everyAddress()])
    await each(accounts, async (address) => void feeds.set(address, await placesOf(address)))
    const legsOf = (account: string, { ledger, order }: ExpectedAnswer): FxdaoLeg[] =>
      feeds.get(account)?.get(`${ledger}/${Number(order) + 1}`) ?? []
    const compared = new Compared('/v1')

    // The account of an admin action is its authoriser: another account may have sent the transaction.
    const legsOfManagement = (answer: ExpectedAnswer) => [...feeds.keys()].flatMap((account) => legsOf(account, answer))
    for (const answer of all) {
      const isManagement = answer.kind === 'fxdao.management'
      const ofAccounts = isManagement ? [legsOfManagement(answer)] : accountsOf(answer).map((account) => legsOf(account, answer))
      const isFound = answer.ok === true ? ofAccounts.every((legs) => legs.length > 0) : ofAccounts.some((legs) => legs.length > 0)
      compared.answer(answer.ok === true ? 'done' : 'failed', answer, { ok: isFound })
      for (const leg of ofAccounts.flat()) expect(leg).toMatchObject({ ledger: answer.ledger, protocol: 'fxdao' })
    }
    for (const { denomination, currency } of await answersOf('fxdao.currency')) {
      coins.set(String(denomination), (currency as { readonly contract: string }).contract)
    }
    for (const answer of vaultActions.filter(({ ok }) => ok === true)) compareVaultAction(compared, answer, legsOf)
    for (const answer of lockingActions.filter(({ ok }) => ok === true)) {
      const source = String(answer.source)
      const legs = legsOf(source, answer)
      compared.answer('locking amounts', answer, { source_changes: stakeChanges(legs) })
      compared.answer('locking function', answer, { function: legs[0]?.metadata.event })
    }
    for (const answer of management.filter(({ ok }) => ok === true)) {
      const [leg] = legsOfManagement(answer)
      const ours = { function: leg?.metadata.event, type: leg?.activity_type }
      compared.answer('management', answer, ours, { function: answer.function, type: 'admin' })
    }
    compared.expectCounts('with the feeds of accounts', {
      done: 879,
      failed: 85,
      vault: 853,
      balance: 823,
      function: 676,
      'locking amounts': 101,
      'locking function': 101,
      management: 36,
    })
  }, 900_000)

  it('the recorded actions of FxDAO leave each vault as /v1 shows it at the end of the ledger, and find it as /v1 shows it at the end of the ledger before', async () => {
    const compared = new Compared('/v1')
    const done = (await answersOf('fxdao.action')).filter(({ ok }) => ok === true)
    await each(
      Map.groupBy(done, ({ ledger }) => ledger),
      async ([ledger, actions]) => {
        const { data } = await whole.get(`/v1/protocols/fxdao/reserves?as_of_ledger=${ledger}`)
        for (const answer of actions) {
          const shown = data.reserves.find((it: Answer['data']) => it.metadata.currency === answer.denomination)
          compared.answer('rate', answer, { rate: raw(shown?.metadata.rate ?? '0') })
        }
        const changes = actions
          .sort((a, b) => Number(a.order) - Number(b.order))
          .flatMap((answer) => (answer.vaults as VaultChange[]).map((change) => ({ answer, change })))
        const byVault = [...Map.groupBy(changes, ({ change }) => `${change.account} ${change.denomination}`).values()]
        for (const ofVault of byVault) {
          const { answer, change } = ofVault[0] as (typeof changes)[number]
          const before = ledger > whole.network.firstLedger ? await vaultAt(ledger - 1, change) : null
          compared.answer('before', answer, { vaults: before }, { vaults: amountsOf(change.before) })
        }
        for (const ofVault of byVault) {
          const { answer, change } = ofVault.at(-1) as (typeof changes)[number]
          compared.answer('after', answer, { vaults: await vaultAt(ledger, change) }, { vaults: amountsOf(change.after) })
        }
      },
    )
    compared.expectCounts('with vaults and rates as of a ledger', { before: 848, after: 848, rate: 742 })
  }, 900_000)
})

const answersOf = async (kind: string): Promise<ExpectedAnswer[]> =>
  [...(await answersByLedger(kind)).values()].flat().filter((answer) => answer.kind === kind)

/** An oracle is managed too; that is no action of the protocol. */
const isOfProtocol = (contract: string): boolean => !whole.network.oracles.some((oracle) => oracle.contract === contract)

/** Accounts that an action changes: owners of vaults and who called, who locked or unlocked. */
function accountsOf({ kind, vaults, source }: ExpectedAnswer): string[] {
  const owners = kind === 'fxdao.action' ? (vaults as VaultChange[]).map(({ account }) => account) : []
  return [...new Set(owners.length > 0 ? owners : [String(source)])]
}

type RecordedVault = Readonly<Record<'total_collateral' | 'total_debt', string>>
type VaultChange = Readonly<Record<'before' | 'after', RecordedVault | null>> & Readonly<Record<'account' | 'denomination', string>>
type FxdaoLeg = Answer['data']

const amountsOf = (vault: RecordedVault | null) => vault && [vault.total_collateral, vault.total_debt]

async function vaultAt(ledger: number, { account, denomination }: VaultChange): Promise<string[] | null> {
  const { data } = await whole.get(`/v1/users/${account}/positions/fxdao?as_of_ledger=${ledger}`)
  const vault = data.vaults.find((it: Answer['data']) => it.currency === denomination)
  return vault === undefined ? null : [raw(vault.collateral), raw(vault.debt)]
}

/** Changes of the owners' vaults and of the accounts' balances by the legs. */
function compareVaultAction(
  compared: Compared,
  answer: ExpectedAnswer,
  legsOf: (account: string, answer: ExpectedAnswer) => FxdaoLeg[],
): void {
  const vaults = answer.vaults as VaultChange[]
  const change = (member: keyof RecordedVault, { before, after }: VaultChange) =>
    BigInt(after?.[member] ?? 0) - BigInt(before?.[member] ?? 0)
  const sums = (legs: readonly FxdaoLeg[], of: (leg: FxdaoLeg) => bigint) => legs.reduce((sum, leg) => sum + of(leg), 0n).toString()
  for (const it of vaults) {
    const legs = legsOf(it.account, answer).filter(({ metadata }) => metadata.currency === it.denomination)
    const ours = [sums(legs, vaultCollateral), sums(legs, vaultDebt)]
    const theirs = [change('total_collateral', it), change('total_debt', it)].map(String)
    compared.answer('vault', answer, { account: it.account, vaults: ours }, { account: it.account, vaults: theirs })
  }
  // The contract and its treasury have no feed of this protocol. A call through another contract is that one's.
  const changes = answer.balance_changes as Readonly<Record<string, Readonly<Record<'collateral' | 'stable', string>>>>
  for (const account of accountsOf(answer)) {
    if (account === answer.contract || whole.network.deployments.fxdao.some(({ vaults }) => vaults === account)) continue
    const legs = legsOf(account, answer)
    // Of a batch the recording counts the coins of one currency.
    const ofCurrency = legs.filter(({ metadata }) => metadata.currency === answer.denomination)
    const ours = { collateral: sums(legs, paidCollateral), stable: sums(ofCurrency, paidCoins) }
    const theirs = changes[account] ?? { collateral: '0', stable: '0' }
    compared.answer('balance', answer, { account, balance_changes: ours }, { account, balance_changes: theirs })
  }
  const events = new Set(accountsOf(answer).flatMap((account) => legsOf(account, answer).map(({ metadata }) => metadata.event)))
  const isDirect = whole.network.deployments.fxdao.some((deployment) => deployment.vaults === answer.contract)
  if (isDirect) compared.answer('function', answer, { function: [...events] }, { function: [answer.function] })
}

const rawOf = ({ metadata }: FxdaoLeg): bigint => BigInt(metadata.raw_amount)
/** Coins by currency, as the contract answered. */
const coins = new Map<string, string>()
const isCoin = ({ asset_id, metadata }: FxdaoLeg): boolean => coins.get(metadata.currency) === asset_id
const LOSERS = ['giver', 'vault_owner', 'liquidated']

/** Change of the collateral in the account's vault by a leg. */
function vaultCollateral(leg: FxdaoLeg): bigint {
  const { direction } = leg
  const { role, closed, raw_fee } = leg.metadata
  if (isCoin(leg) || role === 'redeemer' || role === 'liquidator') return 0n
  if (role === 'receiver') return rawOf(leg)
  // What came back to the owner is a part of what the vault lost.
  if (LOSERS.includes(role)) return direction === 'sent' ? -rawOf(leg) : 0n
  if (direction === 'sent') return rawOf(leg)
  return -rawOf(leg) - (closed === true ? BigInt(raw_fee ?? 0) : 0n)
}

/** Change of the debt of the account's vault by a leg. */
function vaultDebt(leg: FxdaoLeg): bigint {
  const { direction } = leg
  const { role, raw_debt_change } = leg.metadata
  if (!isCoin(leg) || role === 'redeemer' || role === 'liquidator') return 0n
  if (raw_debt_change !== undefined) return BigInt(raw_debt_change)
  return direction === 'received' ? rawOf(leg) : -rawOf(leg)
}

/** Change of the account's balance of the collateral by a leg: a fee comes on top of what enters a vault. */
function paidCollateral(leg: FxdaoLeg): bigint {
  const { direction } = leg
  const { role, raw_fee } = leg.metadata
  if (isCoin(leg) || role === 'giver' || role === 'receiver') return 0n
  if (direction === 'received') return rawOf(leg)
  return role === undefined ? -rawOf(leg) - BigInt(raw_fee ?? 0) : 0n
}

/** Change of the account's balance of coins by a leg. What is no longer owed has no direction. */
function paidCoins(leg: FxdaoLeg): bigint {
  const { direction } = leg
  if (!isCoin(leg) || direction === 'none') return 0n
  return direction === 'received' ? rawOf(leg) : -rawOf(leg)
}

/** Changes of the account's balances of the stake and of the reward. */
function stakeChanges(legs: readonly FxdaoLeg[]): { readonly stake: string; readonly reward: string } {
  const sum = (types: readonly string[]) =>
    legs
      .filter(({ activity_type }) => types.includes(activity_type))
      .reduce((total, leg) => total + (leg.direction === 'received' ? rawOf(leg) : -rawOf(leg)), 0n)
  return { stake: sum(['stake', 'unstake']).toString(), reward: sum(['claim', 'emission']).toString() }
}

it('every comparison that the list of members claims for this file ran', async () => {
  const answers = [...(await answersByLedger('fxdao.action', 'fxdao.locking_action', 'fxdao.management')).values()].flat()
  expect(
    claimsThatDidNotRun(
      'activities',
      answers.filter(({ contract }) => isOfProtocol(contract)),
    ),
  ).toEqual([])
})
