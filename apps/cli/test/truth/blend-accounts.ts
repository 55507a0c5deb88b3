// Accounts in Blend: as `/v1` shows them, and as the recorded contracts answered, by the names of the answer.

import type { ExpectedAnswer } from '@orrery/testkit'
import type { Answer } from '../indexed-network.ts'
import type { Members } from './compared.ts'
import { raw } from './recorded.ts'

type Words = Record<string, string>

const SIDES = ['supply', 'collateral', 'liabilities'] as const
type Side = (typeof SIDES)[number]
type Worth = Readonly<Record<'tokens' | 'underlying', string>>

/** What is supplied is shown in one balance; what of it is collateral, beside it. Without the worths that a refused dry run did not give. */
export function userAsShown({ supply, borrow }: Answer['data'], answer: ExpectedAnswer): Members {
  const sides: Record<Side, Record<string, Worth>> = { supply: {}, collateral: {}, liabilities: {} }
  const add = (side: Side, asset: string, tokens: bigint, underlying: bigint): void => {
    if (tokens > 0n) sides[side][asset] = { tokens: tokens.toString(), underlying: underlying.toString() }
  }
  for (const { asset_address: asset, units, metadata } of supply) {
    const collateral = BigInt(raw(metadata.collateral_share_amount))
    const worth = BigInt(raw(metadata.collateral_units))
    add('collateral', asset, collateral, worth)
    add('supply', asset, BigInt(raw(metadata.share_amount)) - collateral, BigInt(raw(units)) - worth)
  }
  for (const { asset_address: asset, units, metadata } of borrow) {
    add('liabilities', asset, BigInt(raw(metadata.share_amount)), BigInt(raw(units)))
  }
  const tokens = (side: Side) => Object.fromEntries(Object.entries(sides[side]).map(([asset, worth]) => [asset, worth.tokens]))
  const underlying = answer.underlying_now as Record<string, Record<string, unknown> | null> | null
  const worths = (side: Side) => {
    const ofSide = underlying?.[side] ?? null
    if (ofSide === null) return null
    return Object.fromEntries(Object.entries(sides[side]).map(([asset, worth]) => [asset, ofSide[asset] === null ? null : worth]))
  }
  return {
    ...Object.fromEntries(SIDES.map((side) => [side, tokens(side)])),
    underlying_now: underlying === null ? null : Object.fromEntries(SIDES.map((side) => [side, worths(side)])),
  }
}

/** What is held and queued, in the order of the contract, with the LP tokens of each as the API gives them. */
export function depositorAsShown(backstop: Answer['data'], { close_time, claimable, withdrawable }: ExpectedAnswer): Members {
  const shown: Words[] = backstop?.queued ?? []
  const queued = shown.map((it) => ({ amount: raw(it.shares ?? ''), exp: String(Date.parse(it.unlocks_at ?? '') / 1000) }))
  const unlocked = shown.filter((_, n) => Number(queued[n]?.exp) <= close_time)
  const sum = (of: readonly string[]) => of.reduce((total, amount) => total + BigInt(amount), 0n)
  const shares = raw(backstop?.shares ?? '0')
  return {
    user_balance: { shares, q4w: queued },
    all_shares: sum([shares, ...queued.map(({ amount }) => amount)]).toString(),
    // A claim that the contract refuses has no counterpart.
    claimable: { blnd: (claimable as Words).blnd === undefined ? undefined : raw(backstop?.claimable[0]?.amount ?? '0') },
    withdrawable: {
      shares: sum(unlocked.map((it) => raw(it.shares ?? ''))).toString(),
      lp: togetherOf(
        unlocked.map((it) => BigInt(raw(it.lp_tokens ?? ''))),
        (withdrawable as Words | null)?.lp,
      ),
    },
    lp_tokens: [raw(backstop?.lp_tokens ?? '0'), ...shown.map((it) => raw(it.lp_tokens ?? ''))],
  }
}

/** What entries give one by one against what they give together: each loses less than one unit by its own rounding. */
function togetherOf(single: readonly bigint[], together: string | undefined): string | undefined {
  if (together === undefined) return undefined
  const lost = BigInt(together) - single.reduce((sum, amount) => sum + amount, 0n)
  return lost >= 0n && lost < BigInt(single.length) ? together : `${together} is not made of ${single}`
}

/** LP tokens of shares: ⌊shares · tokens / total⌋ by the recorded balance of the backstop. */
export function depositorAsAnswered(
  { user_balance, all_shares, claimable, withdrawable }: ExpectedAnswer,
  behind: ExpectedAnswer | undefined,
): Members {
  const { shares, q4w } = user_balance as { shares: string; q4w: readonly { readonly amount: string }[] }
  const { tokens = '0', shares: total = '0' } = (behind?.balance ?? {}) as Words
  const lp = (amount: string) => (BigInt(total) === 0n ? 0n : (BigInt(amount) * BigInt(tokens)) / BigInt(total)).toString()
  const out = withdrawable as Words | null
  return {
    user_balance,
    all_shares,
    claimable: { blnd: (claimable as Words).blnd },
    withdrawable: { shares: out?.shares ?? '0', lp: out?.lp },
    lp_tokens: [lp(shares), ...q4w.map(({ amount }) => lp(amount))],
  }
}

/** Whether there is anything in positions, ours or recorded. */
export function holds(positions: unknown): boolean {
  const sides = (positions ?? {}) as Partial<Record<Side, ReadonlyMap<number, bigint> | Words>>
  return SIDES.some((side) => {
    const shares = sides[side]
    return (shares instanceof Map ? [...shares.values()] : Object.values(shares ?? {})).some((amount) => BigInt(amount) > 0n)
  })
}
