// Entries of the state in the form in which the executed vectors decoded them.

import type { ContractId } from '@orrery/ledger'
import type { EmissionData, ReserveConfig, SharesByReserve } from '../src/chain/values.ts'
import type { BlendState, PoolState } from '../src/state/state.ts'

const text = (value: bigint | number | undefined) => value?.toString()

/**
 * The reason why an entry of the final state has no value of ours to compare with; null: it is compared.
 * @param lastWritten What the last step that wrote the entry left, as the vectors decoded it; undefined where no step wrote it.
 */
export function notKept(state: BlendState, { contract, key, value }: FinalEntry, role: string, lastWritten: unknown): string | null {
  const name = Array.isArray(key) ? String(key[0]) : String(key)
  switch (name) {
    case 'Allowance':
      return 'an allowance moves nothing'
    case 'DropList':
      return 'what is dropped once is seen when it is'
    case 'PropAdmin':
      return 'a proposal changes nothing until it is accepted'
    case 'Balance':
      // The execution gave LP tokens away before its first step and between steps.
      if (lastWritten === undefined) return 'no step wrote the balance'
      return lastWritten === value ? null : 'a transfer that is no step came after the last step that wrote the balance'
    case 'instance':
      return role.startsWith('factory') || hasInstance(state, contract)
        ? null
        : 'the contract was set up before the first step, and no step wrote it'
    default:
      return null
  }
}

export interface FinalEntry {
  readonly contract: ContractId
  readonly key: unknown
  readonly value: unknown
}

function hasInstance({ pools, comets, emitters, backstops }: BlendState, contract: ContractId): boolean {
  const known = pools.get(contract) ?? emitters.get(contract) ?? backstops.get(contract)
  return known?.instance != null || comets.get(contract)?.swapFee != null
}

/** An entry's value beside ours. Of an instance and of the Comet pool's records the members that are kept. */
export function decodedEntry(state: BlendState, contract: ContractId, key: unknown, value: unknown): { ours: unknown; theirs: unknown } {
  if (key === 'instance')
    return decodedInstance(state, contract, (value as { readonly storage: Readonly<Record<string, unknown>> }).storage)
  const [name] = Array.isArray(key) ? key : [key]
  if (name === 'AllTokenVec') {
    return { ours: [...(state.comets.get(contract)?.records?.value.keys() ?? [])].sort(), theirs: (value as string[]).toSorted() }
  }
  if (name !== 'AllRecordData') return { ours: decodedValue(state, contract, key), theirs: value }
  const records = Object.entries(value as Readonly<Record<string, { readonly balance: string; readonly weight: string }>>)
  const kept = [...(state.comets.get(contract)?.records?.value ?? [])]
  return {
    ours: Object.fromEntries(kept.map(([token, { balance, weight }]) => [token, [text(balance), text(weight)]])),
    theirs: Object.fromEntries(records.map(([token, { balance, weight }]) => [token, [balance, weight]])),
  }
}

function decodedInstance(
  state: BlendState,
  contract: ContractId,
  storage: Readonly<Record<string, unknown>>,
): { ours: unknown; theirs: unknown } {
  const meta = storage['"PoolMeta"'] as Readonly<Record<'backstop' | 'blnd_id' | 'pool_hash', string>> | undefined
  if (meta !== undefined) {
    // Of a factory what it gives its pools.
    const pools = [...state.pools.values()].filter(({ deployment }) => deployment?.factory === contract)
    return {
      ours: pools.map(({ instance }) => [instance?.value.backstop, instance?.value.blnd, instance?.value.code]),
      theirs: [[meta.backstop, meta.blnd_id, meta.pool_hash.slice(0, 8)]],
    }
  }
  const comet = state.comets.get(contract)
  if (comet !== undefined) return { ours: text(comet.swapFee?.value), theirs: storage['["SwapFee"]'] }
  const of = (...names: string[]) => names.map((name) => storage[`"${name}"`])
  const emitter = state.emitters.get(contract)?.instance?.value
  if (emitter !== undefined) {
    return { ours: [emitter.backstop, emitter.backstopToken, emitter.blnd], theirs: of('Backstop', 'BToken', 'BLNDTkn') }
  }
  const backstop = state.backstops.get(contract)?.instance?.value
  if (backstop !== undefined) {
    const { emitter, backstopToken, poolFactory, blnd, usdc } = backstop
    return { ours: [emitter, backstopToken, poolFactory, blnd, usdc], theirs: of('Emitter', 'BToken', 'PoolFact', 'BLNDTkn', 'USDCTkn') }
  }
  const pool = state.pools.get(contract)?.instance?.value
  const config = {
    bstop_rate: Number(pool?.backstopTakeRate),
    max_positions: pool?.maxPositions,
    oracle: pool?.oracle,
    status: pool?.status,
    ...(pool?.minCollateral == null ? {} : { min_collateral: text(pool.minCollateral) }),
  }
  return {
    ours: [pool?.name, pool?.admin, pool?.backstop, pool?.blnd, config],
    theirs: of('Name', 'Admin', 'Backstop', 'BLNDTkn', 'Config'),
  }
}

function decodedValue(state: BlendState, contract: ContractId, key: unknown): unknown {
  const [name, of] = Array.isArray(key) ? key : [key, undefined]
  if (name === 'Contracts') return state.pools.has(String(of))
  const pool = state.pools.get(contract)
  if (pool !== undefined) return decodedOfPool(pool, String(name), of)
  const comet = state.comets.get(contract)
  if (comet !== undefined && name === 'Balance') return text(comet.holders.get(String(of))?.value)
  if (comet !== undefined) return name === 'TotalShares' ? text(comet.totalShares?.value) : undefined
  const emitter = state.emitters.get(contract)
  if (emitter !== undefined) {
    if (name === 'LastDistro') return text(emitter.lastDistribution.get(String(of))?.value)
    return name === 'Dropped' ? emitter.dropped.get(String(of))?.value : undefined
  }
  const backstop = state.backstops.get(contract)
  if (backstop === undefined) return undefined
  if (name === 'RZ') return backstop.rewardZone?.value
  if (name === 'LastDist') return text(backstop.lastDistribution?.value)
  if (name === 'Backfill') return backstop.backfilled?.value
  if (name === 'BackfillEmis') return text(backstop.backfillEmissions?.value)
  if (name === 'LPTknVal') return [text(backstop.lpTokenValue?.value.blndPerLp), text(backstop.lpTokenValue?.value.usdcPerLp)]
  return of === undefined ? undefined : decodedOfBackstop(state, String(name), of)
}

function decodedOfPool(pool: PoolState, name: string, of: unknown): unknown {
  const account = (address: unknown) => pool.accounts.get(String(address))
  switch (name) {
    case 'ResList':
      return pool.reserveList?.value
    case 'PoolEmis':
      return numbered(pool.emissionShares?.value)
    case 'ResData': {
      const it = pool.reserves.get(String(of))?.data?.value
      return {
        b_rate: text(it?.bRate),
        b_supply: text(it?.bSupply),
        backstop_credit: text(it?.backstopCredit),
        d_rate: text(it?.dRate),
        d_supply: text(it?.dSupply),
        ir_mod: text(it?.rateModifier),
        last_time: text(it?.lastTime),
      }
    }
    case 'ResConfig':
      return configFigures(pool.reserves.get(String(of))?.config?.value)
    case 'EmisData':
      return emissionFigures(pool.emissions.get(Number(of))?.data?.value)
    case 'EmisConfig': {
      const it = pool.emissions.get(Number(of))?.config?.value
      return { eps: text(it?.eps), expiration: text(it?.expiration) }
    }
    case 'Positions': {
      const it = account(of)?.positions?.value
      return { collateral: numbered(it?.collateral), liabilities: numbered(it?.liabilities), supply: numbered(it?.supply) }
    }
    case 'UserEmis': {
      const { reserve_id, user } = of as { reserve_id: number; user: string }
      const it = account(user)?.emissions?.get(reserve_id)?.value
      return { accrued: text(it?.accrued), index: text(it?.index) }
    }
    default:
      return undefined
  }
}

function decodedOfBackstop(state: BlendState, name: string, of: unknown): unknown {
  const { pool: poolId, user } = typeof of === 'string' ? { pool: of, user: '' } : (of as { pool: string; user: string })
  const pool = state.pools.get(poolId)
  const account = pool?.accounts.get(user)
  switch (name) {
    case 'PoolBalance': {
      const it = pool?.backstop.balance?.value
      return { q4w: text(it?.queuedShares), shares: text(it?.shares), tokens: text(it?.tokens) }
    }
    case 'UserBalance': {
      const it = account?.backstop?.value
      return { q4w: it?.queue.map(({ shares, unlocksAt }) => ({ amount: text(shares), exp: text(unlocksAt) })), shares: text(it?.shares) }
    }
    case 'UEmisData': {
      const it = account?.backstopEmission?.value
      return { accrued: text(it?.accrued), index: text(it?.index) }
    }
    case 'BEmisData':
      return emissionFigures(pool?.backstop.emission?.value)
    case 'BEmisCfg': {
      const it = pool?.backstop.emissionConfig?.value
      return { eps: text(it?.eps), expiration: text(it?.expiration) }
    }
    case 'PoolEmis':
      return text(pool?.backstop.waiting?.value.accrued)
    case 'RzEmis': {
      const it = pool?.backstop.waiting?.value
      return { accrued: text(it?.accrued), last_time: text(it?.lastTime ?? undefined) }
    }
    default:
      return undefined
  }
}

function numbered(shares: SharesByReserve | undefined): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...(shares ?? [])].map(([index, amount]) => [index, text(amount)]))
}

function emissionFigures(it: EmissionData | undefined): unknown {
  const both = { index: text(it?.index), last_time: text(it?.lastTime) }
  return it?.config == null ? both : { ...both, eps: text(it.config.eps), expiration: text(it.config.expiration) }
}

/** Small numbers are numbers there. */
function configFigures(it: ReserveConfig | undefined): unknown {
  if (it === undefined) return undefined
  const both = {
    c_factor: Number(it.cFactor),
    decimals: it.decimals,
    index: it.index,
    l_factor: Number(it.lFactor),
    max_util: Number(it.maxUtil),
    r_base: Number(it.rBase),
    r_one: Number(it.rOne),
    r_three: Number(it.rThree),
    r_two: Number(it.rTwo),
    reactivity: Number(it.reactivity),
    util: Number(it.util),
  }
  return it.enabled === null ? both : { ...both, enabled: it.enabled, supply_cap: text(it.supplyCap ?? undefined) }
}
