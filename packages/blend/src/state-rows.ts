// State as rows and back: which key names what, and under which contract it is filed.
// What a backstop keeps of a pool is filed under the pool: one range of keys is then everything that a pool is.
// What is read here was written here: a row that cannot be read is a bug of ours or a broken store, and stops the load.

import { type LiveEntry, LOSS_KEY, lossHourOf, SMALL_KEY, StateValue, stateText, TOKEN_KEY, tokenOfValue } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { BlendDeployment, Network, StateRow } from '@orrery/protocol-kit'
import type { AuctionType } from './chain.ts'
import { type BalanceCost, type CostKey, readCost } from './cost.ts'
import * as codec from './row-codecs.ts'
import {
  accountOf,
  type BlendState,
  backstopOf,
  type CometState,
  cometOf,
  type EmitterState,
  emissionOf,
  emitterOf,
  type PoolState,
  poolOf,
  reserveOf,
  setBackstopUser,
  setLpBalance,
  setPositions,
} from './state.ts'

/** Keys of state. What belongs to an account begins with `@`, everything else with a letter. */
export const stateKey = {
  /** Under the pool. */
  pool: 'pool',
  reserveList: 'reserves',
  config: (asset: ContractId) => `config:${asset}`,
  data: (asset: ContractId) => `data:${asset}`,
  queued: (asset: ContractId) => `queued:${asset}`,
  emissionShares: 'emission_shares',
  emission: (tokenId: number) => `emission:${tokenId}`,
  emissionConfig: (tokenId: number) => `emission_config:${tokenId}`,
  poolBackstop: 'backstop',
  backstopEmission: 'backstop_emission',
  backstopEmissionConfig: 'backstop_emission_config',
  waiting: 'backstop_waiting',
  /** Written with snapshots: `writesLoss`. */
  loss: LOSS_KEY,
  positions: (user: Address) => `@${user}:positions`,
  userEmission: (user: Address, tokenId: number) => `@${user}:emission:${tokenId}`,
  auction: (user: Address, type: AuctionType) => `@${user}:auction:${type}`,
  backstopUser: (user: Address) => `@${user}:backstop`,
  backstopUserEmission: (user: Address) => `@${user}:backstop_emission`,
  cost: (user: Address, key: CostKey) => `@${user}:cost:${key}`,
  /** Written with snapshots: `rememberSize`. */
  small: (user: Address) => `@${user}:${SMALL_KEY}`,
  /** Under the factory. */
  listing: (pool: ContractId) => `pool:${pool}`,
  /** Under the backstop. */
  whole: 'whole',
  rewardZone: 'reward_zone',
  lastDistribution: 'last_distribution',
  lpTokenValue: 'lp_value',
  backfillEmissions: 'backfill_emissions',
  backfilled: 'backfilled',
  /** Under the emitter. */
  emitter: 'emitter',
  queuedSwap: 'queued_swap',
  lastDistributionOf: (backstop: ContractId) => `last_distribution:${backstop}`,
  dropped: (backstop: ContractId) => `dropped:${backstop}`,
  /** Under the Comet pool. */
  records: 'records',
  totalShares: 'total_shares',
  swapFee: 'swap_fee',
  wholeLife: 'whole_life',
  lpBalance: (holder: Address) => `@${holder}:lp`,
  /** Under whoever holds. */
  balance: (token: ContractId) => `balance:${token}`,
  /** Under the token. */
  asset: TOKEN_KEY,
}

/** @param announced The factory made it within the index: nothing of its life is missing. */
export function listingText(announced: boolean): string {
  return stateText({ announced })
}

/** Puts rows into an empty state, in whichever order they come. @throws OrreryError `corrupt`/`state_unreadable`. */
export function takeRows(state: BlendState, rows: Iterable<StateRow>, network: Network): void {
  const taker = new Taker(state, network)
  for (const row of rows) if (!row.removed && !isOver(row, state.ledger)) taker.take(row)
}

function isOver({ durability, liveUntil }: StateRow, ledger: number): boolean {
  return durability === 'temporary' && liveUntil !== 0 && liveUntil < ledger
}

class Taker {
  readonly #state: BlendState
  readonly #factories: ReadonlyMap<ContractId, BlendDeployment>
  readonly #backstops: ReadonlyMap<ContractId, BlendDeployment>
  readonly #emitters: ReadonlySet<ContractId>
  readonly #comets: ReadonlySet<ContractId>

  constructor(state: BlendState, { deployments: { blend } }: Network) {
    this.#state = state
    this.#factories = new Map(blend.map((it) => [it.factory, it]))
    this.#backstops = new Map(blend.map((it) => [it.backstop, it]))
    this.#emitters = new Set(blend.map((it) => it.emitter))
    this.#comets = new Set(blend.map((it) => it.backstopToken))
  }

  take(row: StateRow): void {
    const value = new StateValue(row)
    const { contract, key } = row
    const [name = '', part = ''] = namePart(row)
    const factory = this.#factories.get(contract)
    const live = <T>(of: codec.Codec<T>): LiveEntry<T> => ({ value: of.decode(value), liveUntil: row.liveUntil })
    if (key === stateKey.asset) this.#state.assets.set(contract, tokenOfValue(value))
    else if (factory !== undefined && name === 'pool') this.#takeListing(part, factory, value.flag('announced'))
    else if (this.#backstops.has(contract)) this.#takeBackstop(contract, name, part, live, value)
    else if (this.#emitters.has(contract)) takeEmitter(emitterOf(this.#state, contract), name, part, live, value)
    else if (this.#comets.has(contract)) takeComet(cometOf(this.#state, contract), row.owner, name, part, live, value)
    else this.#takePool(row, name, part, live, value)
  }

  #takeListing(pool: ContractId, deployment: BlendDeployment, announced: boolean): void {
    const listed = poolOf(this.#state, pool)
    listed.deployment = deployment
    listed.listed = announced
  }

  #takeBackstop(contract: ContractId, name: string, part: string, live: LiveOf, value: StateValue): void {
    const backstop = backstopOf(this.#state, contract)
    if (name === stateKey.whole) backstop.instance = live(codec.backstopInstance)
    else if (name === stateKey.rewardZone) backstop.rewardZone = live(codec.contracts)
    else if (name === stateKey.lastDistribution) backstop.lastDistribution = live(codec.amount)
    else if (name === stateKey.lpTokenValue) backstop.lpTokenValue = live(codec.lpTokenValue)
    else if (name === stateKey.backfillEmissions) backstop.backfillEmissions = live(codec.amount)
    else if (name === stateKey.backfilled) backstop.backfilled = live(codec.flag)
    else if (name === 'balance') backstop.balances.set(part, live(codec.amount))
    else throw value.broken('key')
  }

  #takePool(row: StateRow, name: string, part: string, live: LiveOf, value: StateValue): void {
    const pool = poolOf(this.#state, row.contract)
    pool.owned = true
    if (row.owner !== '') {
      takeAccount(pool, row.owner, name, part, live, value)
      return
    }
    pool.changedLedger = Math.max(pool.changedLedger, row.ledger)
    if (name === stateKey.pool) {
      pool.instance = live(codec.poolInstance)
      pool.deployment ??= this.#backstops.get(pool.instance.value.backstop) ?? null
    } else takePoolPart(pool, name, part, live, value)
  }
}

type LiveOf = <T>(of: codec.Codec<T>) => LiveEntry<T>

/** `data:C...` is `data` of `C...`; an account's rows have theirs after its address. */
function namePart({ key, owner }: StateRow): readonly string[] {
  const named = owner === '' ? key : key.slice(owner.length + 2)
  const colon = named.indexOf(':')
  return colon < 0 ? [named] : [named.slice(0, colon), named.slice(colon + 1)]
}

function takePoolPart(pool: PoolState, name: string, part: string, live: LiveOf, value: StateValue): void {
  switch (name) {
    case stateKey.reserveList:
      pool.reserveList = live(codec.contracts)
      break
    case 'config':
      reserveOf(pool, part).config = live(codec.reserveConfig)
      break
    case 'data':
      reserveOf(pool, part).data = live(codec.reserveData)
      break
    case 'queued':
      reserveOf(pool, part).queued = live(codec.queuedConfig)
      break
    case stateKey.emissionShares:
      pool.emissionShares = live(codec.emissionShares)
      break
    case 'emission':
      emissionOf(pool, Number(part)).data = live(codec.emissionData)
      break
    case 'emission_config':
      emissionOf(pool, Number(part)).config = live(codec.emissionConfig)
      break
    case stateKey.poolBackstop:
      pool.backstop.balance = live(codec.backstopBalance)
      break
    case stateKey.backstopEmission:
      pool.backstop.emission = live(codec.emissionData)
      break
    case stateKey.backstopEmissionConfig:
      pool.backstop.emissionConfig = live(codec.emissionConfig)
      break
    case stateKey.waiting:
      pool.backstop.waiting = live(codec.waitingEmission)
      break
    case stateKey.loss:
      pool.lossHour = lossHourOf(value)
      break
    case 'balance':
      pool.balances.set(part, live(codec.amount))
      break
    default:
      throw value.broken('key')
  }
}

function takeAccount(pool: PoolState, owner: Address, name: string, part: string, live: LiveOf, value: StateValue): void {
  if (name === SMALL_KEY) {
    pool.small.add(owner)
    return
  }
  const account = accountOf(pool, owner)
  switch (name) {
    case 'positions':
      setPositions(pool, owner, live(codec.positions))
      break
    case 'emission':
      account.emissions ??= new Map()
      account.emissions.set(Number(part), live(codec.userEmission))
      break
    case 'auction':
      account.auctions ??= new Map()
      account.auctions.set(Number(part) as AuctionType, live(codec.auction))
      break
    case 'backstop':
      setBackstopUser(pool, owner, live(codec.backstopUser))
      break
    case 'backstop_emission':
      account.backstopEmission = live(codec.userEmission)
      break
    case 'cost': {
      account.costs ??= new Map<CostKey, BalanceCost>()
      account.costs.set(part as CostKey, readCost(value))
      break
    }
    default:
      throw value.broken('key')
  }
}

function takeEmitter(emitter: EmitterState, name: string, part: string, live: LiveOf, value: StateValue): void {
  if (name === stateKey.emitter) emitter.instance = live(codec.emitterInstance)
  else if (name === stateKey.queuedSwap) emitter.queuedSwap = live(codec.queuedSwap)
  else if (name === 'last_distribution') emitter.lastDistribution.set(part, live(codec.amount))
  else if (name === 'dropped') emitter.dropped.set(part, live(codec.flag))
  else throw value.broken('key')
}

function takeComet(comet: CometState, owner: Address | '', name: string, part: string, live: LiveOf, value: StateValue): void {
  if (name === stateKey.records) comet.records = live(codec.cometRecords)
  else if (name === stateKey.totalShares) comet.totalShares = live(codec.amount)
  else if (name === stateKey.swapFee) comet.swapFee = live(codec.amount)
  else if (name === stateKey.wholeLife) comet.wholeLife = codec.flag.decode(value)
  else if (name === 'balance') comet.balances.set(part, live(codec.amount))
  else if (owner !== '' && name === 'lp') setLpBalance(comet, owner, live(codec.amount))
  else throw value.broken('key')
}
