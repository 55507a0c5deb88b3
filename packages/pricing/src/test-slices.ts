// Small worlds for tests: entries written with `sc`, put into slices of one ledger each.

import {
  type ContractId,
  type EntryRecord,
  encodeStrkey,
  type LedgerRecord,
  type ScVal,
  sc,
  type TtlRecord,
  writeScVal,
} from '@orrery/ledger'
import {
  defineDeployment,
  LedgerSequence,
  type Network,
  type OracleConfig,
  type PricePoolReader,
  type ProtocolFacts,
  type ProtocolId,
  type Slice,
} from '@orrery/protocol-kit'

/** A contract id of one's own: 32 times the same byte. */
export const contract = (byte: number): ContractId => encodeStrkey('C', new Uint8Array(32).fill(byte))

export function entry(id: ContractId, key: ScVal, value: ScVal | null, more: Partial<EntryRecord> = {}): EntryRecord {
  return {
    kind: 'entry',
    tx: 0,
    opIndex: 0,
    index: 0,
    change: value === null ? 'removed' : 'updated',
    contract: id,
    key: writeScVal(key),
    durability: 'persistent',
    value: value === null ? null : writeScVal(value),
    before: null,
    liveUntil: null,
    ...more,
  }
}

export function ttl(id: ContractId, key: ScVal, liveUntil: number): TtlRecord {
  return { kind: 'ttl', tx: 0, opIndex: 0, contract: id, key: writeScVal(key), durability: 'temporary', liveUntil }
}

export function instance(id: ContractId, storage: readonly (readonly [ScVal, ScVal])[], more: Partial<EntryRecord> = {}): EntryRecord {
  return entry(id, sc.instanceKey(), sc.instance({ kind: 'wasm', hash: '00'.repeat(32) }, ...storage), more)
}

export function slice(ledger: number, closeTimeSeconds: number, records: readonly LedgerRecord[], more: Partial<Slice> = {}): Slice {
  return {
    network: 'small',
    protocol: 'soroswap',
    partition: 0,
    after: ledger - 1,
    ledger,
    closeTimeSeconds,
    hourStart: false,
    dayStart: false,
    ledgerHash: '',
    rollingHash: '0000000000000000',
    transactions: [],
    records: records.map((record) => ({ class: 'shared', record })),
    ...more,
  }
}

export function smallNetwork(more: Partial<Network>): Network {
  return {
    name: 'small',
    passphrase: 'small',
    firstLedger: 1,
    protocols: [],
    deployments: { soroswap: [], blend: [], aquarius: [], fxdao: [] },
    oracles: [],
    pricePools: [],
    usdPegs: [],
    assets: {},
    knownPools: [],
    ...more,
  }
}

/** A protocol that is nothing but a reader of price pools. */
export function protocolWithPools(id: ProtocolId, pricePool: PricePoolReader): ProtocolFacts {
  const deployment = defineDeployment({ identity: 'from_ledger', shape: { from_ledger: LedgerSequence } })
  return { id, number: 200, displayName: id, defaultPartitions: 1, maxPartitions: 1, deployment, pricePool, peggedCoins: null }
}

export const usdReflector = (id: ContractId): OracleConfig => ({
  contract: id,
  kind: 'reflector',
  base: { kind: 'symbol', symbol: 'USD' },
  decimals: 14,
})

export const stellar = (id: ContractId): ScVal => sc.vec(sc.symbol('Stellar'), sc.address(id))
export const other = (symbol: string): ScVal => sc.vec(sc.symbol('Other'), sc.symbol(symbol))

/** Instance of a Reflector feed with 5 minutes resolution and 14 decimals. Times in seconds. */
export function reflectorInstance(
  id: ContractId,
  settings: {
    readonly assets: readonly ScVal[]
    readonly lastSeconds: number
    readonly base?: ScVal
    readonly protocol?: number
    readonly protocolUpdateSeconds?: number
    readonly cache?: readonly (readonly [number, ScVal])[]
  },
): EntryRecord {
  const { assets, lastSeconds, base = other('USD'), protocol, protocolUpdateSeconds, cache } = settings
  return instance(id, [
    [sc.string('assets'), sc.vec(...assets)],
    [sc.string('base_asset'), base],
    ...(cache === undefined
      ? []
      : [[sc.string('cache'), sc.vec(...cache.map(([seconds, update]) => sc.vec(ms(seconds), update)))] as const]),
    [sc.string('decimals'), sc.u32(14)],
    [sc.string('last_timestamp'), ms(lastSeconds)],
    ...(protocol === undefined ? [] : [[sc.string('protocol'), sc.u32(protocol)] as const]),
    ...(protocolUpdateSeconds === undefined ? [] : [[sc.string('protocol_update'), ms(protocolUpdateSeconds)] as const]),
    [sc.string('resolution'), sc.u32(300_000)],
  ])
}

const ms = (seconds: number): ScVal => sc.u64(BigInt(seconds) * 1000n)

/** A price of code v4: one entry an asset and round. */
export function legacyPrice(id: ContractId, seconds: number, index: number, price: bigint, liveUntil = 1_000_000): EntryRecord {
  const key = sc.u128((BigInt(seconds * 1000) << 64n) | BigInt(index))
  return entry(id, key, sc.i128(price), { durability: 'temporary', change: 'created', liveUntil })
}

/** `PriceUpdate` of code v6. */
export function update(mask: readonly number[], prices: readonly bigint[]): ScVal {
  return sc.struct({ mask: sc.bytes(Uint8Array.from(mask)), prices: sc.vec(...prices.map(sc.i128)) })
}

/** A round of code v6. */
export function updateRound(id: ContractId, seconds: number, value: ScVal, liveUntil = 1_000_000): EntryRecord {
  return entry(id, ms(seconds), value, { durability: 'temporary', change: 'created', liveUntil })
}
