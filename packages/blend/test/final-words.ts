// State in the words of the executed vectors: what an entry's key holds, as they decoded it. Undefined: we keep nothing of it.

import type { ContractId } from '@orrery/ledger'
import type { EmissionData, ReserveConfig, SharesByReserve } from '../src/chain.ts'
import type { BlendState, PoolState } from '../src/state.ts'

const text = (value: bigint | number | undefined) => value?.toString()

export function finalWords(state: BlendState, contract: ContractId, key: unknown): unknown {
  const [name, of] = Array.isArray(key) ? key : [key, undefined]
  const pool = state.pools.get(contract)
  if (pool !== undefined) return poolWords(pool, String(name), of)
  const comet = state.comets.get(contract)
  if (comet !== undefined) {
    // Some transfers of LP tokens were made and not recorded: balances of holders prove nothing here.
    return name === 'TotalShares' ? text(comet.totalShares?.value) : undefined
  }
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
  return of === undefined ? undefined : backstopWords(state, String(name), of)
}

function poolWords(pool: PoolState, name: string, of: unknown): unknown {
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
      return configWords(pool.reserves.get(String(of))?.config?.value)
    case 'EmisData':
      return emissionWords(pool.emissions.get(Number(of))?.data?.value)
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

function backstopWords(state: BlendState, name: string, of: unknown): unknown {
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
      return emissionWords(pool?.backstop.emission?.value)
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

function emissionWords(it: EmissionData | undefined): unknown {
  const both = { index: text(it?.index), last_time: text(it?.lastTime) }
  return it?.config == null ? both : { ...both, eps: text(it.config.eps), expiration: text(it.config.expiration) }
}

/** Small numbers are numbers there. */
function configWords(it: ReserveConfig | undefined): unknown {
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
