// Our answer to each call of the recording, by the state, with the names of the contract's answer, so that the two can be compared.

import type { Address, ContractId } from '@orrery/ledger'
import { type At, otherAsset, pricesOf, stellarAsset } from '@orrery/pricing'
import { type BlendDeployment, mulDivFloor, type Network } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import type { Auction, EmissionData, ReserveConfig, ReserveData, SharesByReserve } from '../src/chain/values.ts'
import { debtOf, underlyingOf } from '../src/math/accrual.ts'
import { queuedPart } from '../src/math/backstop-math.ts'
import { SCALE_7 } from '../src/math/scale.ts'
import { allShares, assetsOf, auctionOf, type BlendState, type PoolState } from '../src/state/state.ts'
import { claimableOf, claimableOfBackstop, reserveTokenOf, withdrawable } from '../src/view/claimable.ts'
import { cometQuotes } from '../src/view/lp-value.ts'
import { type ValuedPool, valuePool } from '../src/view/valuation.ts'
import { lpTokensFor } from './comet-join.ts'

/** One answer with the state as of its ledger. */
export interface Question {
  readonly answer: ExpectedAnswer
  readonly state: BlendState
  readonly network: Network
  readonly at: At
}

type Members = Readonly<Record<string, unknown>>

/** Both sides by the names of the answer's members. */
export interface Comparison {
  readonly ours: Members
  readonly theirs: Members
}

const text = (value: bigint | number | null | undefined): string | null => (value === null || value === undefined ? null : value.toString())
const pick = (answer: ExpectedAnswer, ...names: string[]) => Object.fromEntries(names.map((name) => [name, answer[name]]))

function poolOf({ answer, state }: Question, pool = answer.contract): PoolState {
  const known = state.pools.get(pool)
  if (known === undefined) throw new Error(`pool ${pool} is not known at ${answer.ledger}`)
  return known
}

function valuedOf(question: Question, pool = poolOf(question)): ValuedPool {
  const { state, at, network } = question
  const valued = valuePool(state, pool, at, { network, pricing: pricesOf(network) })
  if (valued === null) throw new Error(`pool ${pool.pool} cannot be valued at ${at.ledger}`)
  return valued
}

const isV2 = (answer: ExpectedAnswer) => answer.version === 2

export function pool(question: Question): Comparison {
  const { answer } = question
  const it = poolOf(question)
  const instance = it.instance?.value
  const config = {
    bstop_rate: text(instance?.backstopTakeRate),
    max_positions: text(instance?.maxPositions),
    oracle: instance?.oracle,
    status: text(instance?.status),
  }
  return {
    ours: {
      from_factory: true,
      version: it.deployment?.version === 'v2' ? 2 : 1,
      name: instance?.name,
      admin: instance?.admin,
      config: isV2(answer) ? { ...config, min_collateral: text(instance?.minCollateral) } : config,
      reserve_list: assetsOf(it),
      emission_shares:
        it.emissionShares === null ? null : Object.fromEntries([...it.emissionShares.value].map(([id, share]) => [id, text(share)])),
    },
    theirs: pick(answer, 'from_factory', 'version', 'name', 'admin', 'config', 'reserve_list', 'emission_shares'),
  }
}

function dataFigures(data: ReserveData | undefined) {
  return {
    b_rate: text(data?.bRate),
    b_supply: text(data?.bSupply),
    backstop_credit: text(data?.backstopCredit),
    d_rate: text(data?.dRate),
    d_supply: text(data?.dSupply),
    ir_mod: text(data?.rateModifier),
    last_time: text(data?.lastTime),
  }
}

function configFigures(config: ReserveConfig | undefined, answer: ExpectedAnswer) {
  const both = {
    c_factor: text(config?.cFactor),
    decimals: text(config?.decimals),
    index: text(config?.index),
    l_factor: text(config?.lFactor),
    max_util: text(config?.maxUtil),
    r_base: text(config?.rBase),
    r_one: text(config?.rOne),
    r_three: text(config?.rThree),
    r_two: text(config?.rTwo),
    reactivity: text(config?.reactivity),
    util: text(config?.util),
  }
  return isV2(answer) ? { ...both, enabled: config?.enabled, supply_cap: text(config?.supplyCap) } : both
}

export function reserve(question: Question): Comparison {
  const { answer, at } = question
  const it = poolOf(question)
  const valued = valuedOf(question).reserves.find((reserve) => reserve?.asset === answer.asset)
  const queued = valued?.state.queued
  const isQueued = queued != null && queued.liveUntil >= at.ledger
  return {
    ours: {
      index: text(valued?.index),
      stored: dataFigures(valued?.state.data?.value),
      accrued: dataFigures(valued?.data),
      config: configFigures(valued?.config, answer),
      cash: text(it.balances.get(String(answer.asset))?.value ?? 0n),
      queued_config: isQueued
        ? { new_config: configFigures(queued.value.config, answer), unlock_time: text(queued.value.unlockTime) }
        : null,
    },
    theirs: pick(answer, 'index', 'stored', 'accrued', 'config', 'cash', 'queued_config'),
  }
}

const numbered = (shares: SharesByReserve) => Object.fromEntries([...shares].map(([index, amount]) => [index, text(amount)]))

export function user(question: Question): Comparison {
  const { answer } = question
  const it = poolOf(question)
  const positions = it.accounts.get(String(answer.address))?.positions?.value
  const sides = { supply: positions?.supply, collateral: positions?.collateral, liabilities: positions?.liabilities }
  const valued = valuedOf(question)
  const version = valued.deployment.version
  const byAsset = (shares: SharesByReserve | undefined, of: (amount: bigint, index: number) => unknown) =>
    Object.fromEntries([...(shares ?? [])].map(([index, amount]) => [assetsOf(it)[index], of(amount, index)]))
  // A side or an asset is null where the dry run for it was refused.
  const answered = answer.underlying_now as Record<string, Record<string, unknown> | null> | null
  const underlying = (side: keyof typeof sides) => {
    const theirs = answered?.[side] ?? null
    if (theirs === null) return null
    return byAsset(sides[side], (tokens, index) => {
      const data = valued.reserves[index]?.data
      if (data === undefined || theirs[assetsOf(it)[index] ?? ''] === null) return null
      const amount = side === 'liabilities' ? debtOf(tokens, data, version) : underlyingOf(tokens, data, version)
      return { tokens: text(tokens), underlying: text(amount) }
    })
  }
  const tokens = (side: keyof typeof sides) => byAsset(sides[side], text)
  const named = (side: keyof typeof sides) => numbered(sides[side] ?? new Map())
  return {
    ours: {
      positions: { supply: named('supply'), collateral: named('collateral'), liabilities: named('liabilities') },
      supply: tokens('supply'),
      collateral: tokens('collateral'),
      liabilities: tokens('liabilities'),
      underlying_now:
        answered === null
          ? null
          : { supply: underlying('supply'), collateral: underlying('collateral'), liabilities: underlying('liabilities') },
    },
    theirs: pick(answer, 'positions', 'supply', 'collateral', 'liabilities', 'underlying_now'),
  }
}

/** What full withdrawals would pay: only the amounts that the contract does not refuse. */
export function withdrawMax(question: Question): Comparison | null {
  const { answer } = question
  if (answer.withdraw_max === null) return null
  const it = poolOf(question)
  const valued = valuedOf(question)
  const positions = it.accounts.get(String(answer.address))?.positions?.value
  const theirs = answer.withdraw_max as Record<'supply' | 'collateral', Record<string, { amount?: string } | null>>
  const amounts = (side: 'supply' | 'collateral') =>
    Object.entries(theirs[side]).flatMap(([asset, withdrawn]) => {
      if (withdrawn?.amount === undefined) return []
      const index = assetsOf(it).indexOf(asset)
      const data = valued.reserves[index]?.data
      const shares = positions?.[side].get(index) ?? 0n
      return [[asset, text(data === undefined ? null : underlyingOf(shares, data, valued.deployment.version)), withdrawn.amount] as const]
    })
  const all = [...amounts('supply'), ...amounts('collateral')]
  return {
    ours: { withdraw_max: all.map(([asset, ours]) => [asset, ours]) },
    theirs: { withdraw_max: all.map(([asset, , theirs]) => [asset, theirs]) },
  }
}

function emissionFigures(data: EmissionData | undefined) {
  if (data === undefined) return null
  const both = { index: text(data.index), last_time: text(data.lastTime) }
  return data.config === null ? both : { ...both, eps: text(data.config.eps), expiration: text(data.config.expiration) }
}

export function reserveEmissions(question: Question): Comparison {
  const { answer } = question
  const it = poolOf(question)
  const tokenId = Number(answer.reserve_token_id)
  const emission = it.emissions.get(tokenId)
  const config = emission?.config?.value
  const { asset, side } = reserveTokenOf(it, tokenId)
  return {
    ours: {
      asset,
      side: side === 'supply' ? 'b_token' : 'd_token',
      data: emissionFigures(emission?.data?.value),
      ...(isV2(answer) ? {} : { config: config === undefined ? null : { eps: text(config.eps), expiration: text(config.expiration) } }),
    },
    theirs: pick(answer, 'asset', 'side', 'data', ...(isV2(answer) ? [] : ['config'])),
  }
}

export function userEmissions(question: Question): Comparison {
  const { answer, at } = question
  const it = poolOf(question)
  const tokenId = Number(answer.reserve_token_id)
  const stored = it.accounts.get(String(answer.address))?.emissions?.get(tokenId)?.value
  // A claim that fails (before the drop the backstop may not pay) has no counterpart.
  const isAmount = typeof answer.claimable === 'string'
  return {
    ours: {
      stored: stored === undefined ? null : { accrued: text(stored.accrued), index: text(stored.index) },
      ...(isAmount ? { claimable: text(claimableOf(it, String(answer.address), tokenId, at)) } : {}),
    },
    theirs: pick(answer, 'stored', ...(isAmount ? ['claimable'] : [])),
  }
}

export function backstop({ answer, state }: Question): Comparison {
  const it = state.backstops.get(answer.contract)
  const deployment = it?.instance?.value
  const lpValue = it?.lpTokenValue?.value
  return {
    ours: {
      reward_zone: it?.rewardZone?.value ?? [],
      last_distribution: text(it?.lastDistribution?.value),
      lp_token_value: lpValue === undefined ? null : [text(lpValue.blndPerLp), text(lpValue.usdcPerLp)],
      backfilled: text(it?.backfillEmissions?.value),
      lp_held: text(it?.balances.get(deployment?.backstopToken ?? '')?.value ?? 0n),
      blnd_held: text(it?.balances.get(deployment?.blnd ?? '')?.value ?? 0n),
    },
    theirs: pick(answer, 'reward_zone', 'last_distribution', 'lp_token_value', 'backfilled', 'lp_held', 'blnd_held'),
  }
}

export function backstopPool(question: Question): Comparison {
  const { answer } = question
  const it = poolOf(question, String(answer.pool)).backstop
  const balance = it.balance?.value ?? { shares: 0n, queuedShares: 0n, tokens: 0n }
  const waiting = it.waiting?.value
  const config = it.emissionConfig?.value
  const theirData = answer.pool_data as Record<string, string>
  return {
    ours: {
      balance: { q4w: text(balance.queuedShares), shares: text(balance.shares), tokens: text(balance.tokens) },
      emissions: emissionFigures(it.emission?.value),
      pool_data: {
        tokens: text(balance.tokens),
        q4w_pct: text(queuedPart(balance)),
        ...(isV2(answer) ? { shares: text(balance.shares) } : {}),
      },
      ...(isV2(answer)
        ? { reward_zone_emissions: waiting === undefined ? null : { accrued: text(waiting.accrued), last_time: text(waiting.lastTime) } }
        : {
            emissions_config: config === undefined ? null : { eps: text(config.eps), expiration: text(config.expiration) },
            pool_emissions_waiting: text(waiting?.accrued),
          }),
    },
    theirs: {
      ...pick(
        answer,
        'balance',
        'emissions',
        ...(isV2(answer) ? ['reward_zone_emissions'] : ['emissions_config', 'pool_emissions_waiting']),
      ),
      pool_data: { tokens: theirData.tokens, q4w_pct: theirData.q4w_pct, ...(isV2(answer) ? { shares: theirData.shares } : {}) },
    },
  }
}

/** v2 values LP tokens by the Comet pool as it is; v1 by what it last wrote down. */
export function backstopValue(question: Question): Comparison {
  const { answer, state } = question
  const it = poolOf(question, String(answer.pool))
  const tokens = it.backstop.balance?.value.tokens ?? 0n
  const theirs = answer.pool_data as Record<string, string>
  const stored = state.backstops.get(answer.contract)?.lpTokenValue?.value
  const lp = isV2(answer) ? valuedOf(question, it).lp : { blndPerLp: stored?.blndPerLp ?? 0n, usdcPerLp: stored?.usdcPerLp ?? 0n }
  const worth = (per: bigint | undefined) => text((tokens * (per ?? 0n)) / 10_000_000n)
  // USDC is a fifth of the weight of the Comet pool.
  const spot = isV2(answer) ? { token_spot_price: text(5n * (lp?.usdcPerLp ?? 0n)) } : {}
  const spotSaid = isV2(answer) ? { token_spot_price: theirs.token_spot_price } : {}
  return {
    ours: { pool_data: { blnd: worth(lp?.blndPerLp), usdc: worth(lp?.usdcPerLp), ...spot } },
    theirs: { pool_data: { blnd: theirs.blnd, usdc: theirs.usdc, ...spotSaid } },
  }
}

export function backstopUser(question: Question): Comparison {
  const { answer, at, state } = question
  const it = poolOf(question, String(answer.pool))
  const address: Address = String(answer.address)
  const owed = claimableOfBackstop(it, address, at)
  const account = it.accounts.get(address)
  const held = account?.backstop?.value ?? { shares: 0n, queue: [] }
  const emission = account?.backstopEmission?.value
  const claim = answer.claimable as { blnd?: string; returned?: string }
  const out = answer.withdrawable as { shares: string; lp?: string } | null
  const now = withdrawable(it, address, at)
  return {
    ours: {
      user_balance: {
        shares: text(held.shares),
        q4w: held.queue.map(({ shares, unlocksAt }) => ({ amount: text(shares), exp: text(unlocksAt) })),
      },
      all_shares: text(allShares(held)),
      emissions: emission === undefined ? null : { accrued: text(emission.accrued), index: text(emission.index) },
      claimable: {
        blnd: claim.blnd === undefined ? undefined : text(owed),
        returned: claim.returned === undefined ? undefined : text(isV2(answer) ? lpTokensOfClaim(owed, it.deployment, state) : owed),
      },
      withdrawable: { shares: text(now.shares), lp: out?.lp === undefined ? undefined : text(now.lpTokens) },
    },
    theirs: {
      ...pick(answer, 'user_balance', 'all_shares', 'emissions'),
      claimable: { blnd: claim.blnd, returned: claim.returned },
      withdrawable: { shares: out?.shares ?? '0', lp: out?.lp },
    },
  }
}

/** v2 answers with the LP tokens that the BLND would buy at once; the API shows the BLND. */
function lpTokensOfClaim(blnd: bigint, deployment: BlendDeployment | null, state: BlendState): bigint | undefined {
  const it = state.comets.get(deployment?.backstopToken ?? '')
  const record = it?.records?.value.get(deployment?.blnd ?? '')
  return record === undefined ? undefined : lpTokensFor(blnd, record, it?.totalShares?.value ?? 0n, it?.swapFee?.value ?? 0n)
}

export function auction(question: Question): Comparison {
  const { answer, at } = question
  const stored = auctionOf(poolOf(question), String(answer.user), Number(answer.auction_type) as 0 | 1 | 2, at.ledger)
  const legs = (of: Auction['bid']) => Object.fromEntries([...of].map(([asset, amount]) => [asset, text(amount)]))
  const auction = stored === null ? null : { bid: legs(stored.bid), block: text(stored.block), lot: legs(stored.lot) }
  // The contract gives what it stores, unscaled.
  return { ours: { stored: auction, get_auction: auction }, theirs: pick(answer, 'stored', 'get_auction') }
}

export function comet({ answer, state, network }: Question): Comparison {
  const it = state.comets.get(answer.contract)
  const deployment = network.deployments.blend.find(({ backstopToken }) => backstopToken === answer.contract)
  const record = (token: ContractId | undefined) => it?.records?.value.get(token ?? '')
  const [blnd, usdc] = [record(deployment?.blnd), record(deployment?.usdc)]
  const quote = cometQuotes(state, network).find(({ contract }) => contract === answer.contract)
  const place = (token: ContractId | undefined) => quote?.tokens.indexOf(token ?? '') ?? -1
  const rate = quote?.rate(place(deployment?.blnd), place(deployment?.usdc), () => 7)
  const spot = rate && mulDivFloor(rate.numerator, SCALE_7, rate.denominator)
  // With the fee of a swap on top: ⌊spot / (1 − fee)⌋.
  const marked = spot && mulDivFloor(spot, SCALE_7, SCALE_7 - (it?.swapFee?.value ?? 0n))
  return {
    ours: {
      total_supply: text(it?.totalShares?.value),
      blnd: text(blnd?.balance),
      usdc: text(usdc?.balance),
      blnd_held: text(it?.balances.get(deployment?.blnd ?? '')?.value),
      usdc_held: text(it?.balances.get(deployment?.usdc ?? '')?.value),
      spot_usdc_per_blnd_sans_fee: text(spot),
      spot_usdc_per_blnd: text(marked),
    },
    theirs: pick(answer, 'total_supply', 'blnd', 'usdc', 'blnd_held', 'usdc_held', 'spot_usdc_per_blnd_sans_fee', 'spot_usdc_per_blnd'),
  }
}

export function lpBalance({ answer, state }: Question): Comparison {
  const held = state.comets.get(answer.contract)?.holders.get(String(answer.address))?.value
  return { ours: { balance: text(held ?? 0n) }, theirs: pick(answer, 'balance') }
}

export function emitter({ answer, state }: Question): Comparison {
  const it = state.emitters.get(answer.contract)
  const swap = it?.queuedSwap?.value
  const theirs = answer.last_distro as Record<string, string | null>
  return {
    ours: {
      backstop: it?.instance?.value.backstop,
      queued_swap:
        swap === undefined
          ? null
          : { new_backstop: swap.backstop, new_backstop_token: swap.backstopToken, unlock_time: text(swap.unlockTime) },
      last_distro: Object.fromEntries(Object.keys(theirs).map((backstop) => [backstop, text(it?.lastDistribution.get(backstop)?.value)])),
    },
    theirs: pick(answer, 'backstop', 'queued_swap', 'last_distro'),
  }
}

export function lastPrice({ answer, state, network, at }: Question): Comparison {
  const asked = answer.asset as { stellar?: string; other?: string }
  const asset = asked.stellar === undefined ? otherAsset(String(asked.other)) : stellarAsset(asked.stellar)
  const price = pricesOf(network).lastPrice(state.pricing, answer.contract, asset, at)
  const ours = price === null ? null : { price: text(price.price), timestamp: text(price.timestampSeconds) }
  return { ours: { lastprice: ours }, theirs: pick(answer, 'lastprice') }
}

export function feed({ answer, state, network }: Question): Comparison {
  const facts = pricesOf(network).feed(state.pricing, answer.contract)
  const assetOf = (asset: { kind: string; contract?: string; symbol?: string } | undefined) =>
    asset === undefined ? null : asset.kind === 'stellar' ? ['Stellar', asset.contract] : ['Other', asset.symbol]
  return {
    ours: {
      last_timestamp: text(facts?.lastTimestampSeconds),
      decimals: text(facts?.decimals),
      resolution: text(facts?.resolutionSeconds),
      base: assetOf(facts?.base),
      assets: facts?.assets.map(assetOf),
      version: text(facts?.version),
    },
    theirs: pick(answer, 'last_timestamp', 'decimals', 'resolution', 'base', 'assets', 'version'),
  }
}

/** Every kind of answer with what it is laid beside; null: the contract refused what was asked. */
export const COMPARISONS: readonly (readonly [kind: string, compare: (question: Question) => Comparison | null])[] = [
  ['blend.pool', pool],
  ['blend.reserve', reserve],
  ['blend.user', user],
  ['blend.user', withdrawMax],
  ['blend.reserve_emissions', reserveEmissions],
  ['blend.user_emissions', userEmissions],
  ['blend.backstop', backstop],
  ['blend.backstop_pool', backstopPool],
  ['blend.backstop_pool', backstopValue],
  ['blend.backstop_user', backstopUser],
  ['blend.auction', auction],
  ['blend.comet', comet],
  ['blend.lp_balance', lpBalance],
  ['blend.emitter', emitter],
  ['oracle.lastprice', lastPrice],
  ['oracle.feed', feed],
]
