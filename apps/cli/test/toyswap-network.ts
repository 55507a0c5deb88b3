// A network with a protocol that the build does not ship. Every figure was chosen so that its consequences can be worked out on paper.

import { type ContractId, type ScVal, sc } from '@orrery/ledger'
import { ledgerBuilder, testAccount, testContract } from '@orrery/testkit'
import { Chain } from './built-chain.ts'

export const PASSPHRASE = 'A network with a fifth protocol'
export const FIRST = 100
/** 2023-11-14T12:00:00Z. */
export const NOON = 1_699_963_200

export const usd = testContract('toyswap usd') // 6 decimals, 1 USD by the oracle
export const silver = testContract('toyswap silver') // 7 decimals, 0.50 USD by the oracle
export const pool = testContract('toyswap pool')
export const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(testAccount) as [string, string, string]
const factory = testContract('toyswap factory')
const oracle = testContract('toyswap oracle')

export const registry = {
  network: 'fifth',
  passphrase: PASSPHRASE,
  first_ledger: FIRST,
  protocols: { toyswap: { deployments: [{ factory, from_ledger: FIRST }] } },
  oracles: [{ contract: oracle, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }],
  assets: {
    [usd]: { code: 'USDX', issuer: null, decimals: 6 },
    [silver]: { code: 'SLV', issuer: null, decimals: 7 },
  },
}

/** The ledgers, oldest first: a minute apart, the last one two hours later. */
export function buildLedgers(): Uint8Array[] {
  const chain = new Chain()
  const builder = ledgerBuilder({
    passphrase: PASSPHRASE,
    protocolVersion: 23,
    firstLedger: FIRST,
    closeTimeSeconds: NOON,
    intervalSeconds: 60,
  })
  const close = (source: string) => builder.ledger({ transactions: [{ source, operations: [chain.operation()] }] })
  const held = new Map<string, bigint>()
  /** What an account gives (negative: gets), and what the pool has afterwards. Raw. */
  const act = (
    type: string,
    who: string,
    given: { a: bigint; b: bigint; shares: bigint },
    after: Instance,
    change = given.shares,
  ): void => {
    held.set(who, (held.get(who) ?? 0n) + change)
    chain.set(pool, sc.instanceKey(), instanceOf(after))
    chain.set(pool, sc.vec(sc.symbol('Balance'), sc.address(who)), sc.i128(held.get(who) ?? 0n))
    const { a, b, shares } = given
    chain.emit(pool, [sc.symbol(type)], sc.struct({ a: sc.i128(a), b: sc.i128(b), shares: sc.i128(shares), who: sc.address(who) }))
  }

  const ledgers = [builder.ledger({})] // 100
  writeOracle(chain)
  ledgers.push(close(alice)) // 101

  // 102: the pool is made, and Alice puts 1,000 USDX and 2,000 SLV in for 1,000 shares.
  chain.emit(factory, [sc.symbol('new_pool')], sc.struct({ pool: sc.address(pool) }))
  act('deposit', alice, { a: 1_000_000_000n, b: 20_000_000_000n, shares: 10_000_000_000n }, [
    1_000_000_000n,
    20_000_000_000n,
    10_000_000_000n,
  ])
  ledgers.push(close(alice))
  // 103: Bob puts half as much in.
  act('deposit', bob, { a: 500_000_000n, b: 10_000_000_000n, shares: 5_000_000_000n }, [1_500_000_000n, 30_000_000_000n, 15_000_000_000n])
  ledgers.push(close(bob))
  // 104: Carol gives 100 USDX. 3,000 · 100 / (1,500 + 100) = 187.5 SLV.
  act('swap', carol, { a: 100_000_000n, b: -1_875_000_000n, shares: 0n }, [1_600_000_000n, 28_125_000_000n, 15_000_000_000n])
  ledgers.push(close(carol))
  // 105: Alice takes half of her shares out, a third of all: ⌊1,600,000,000 / 3⌋ and 28,125,000,000 / 3.
  const third = { a: -533_333_333n, b: -9_375_000_000n, shares: 5_000_000_000n }
  act('withdraw', alice, third, [1_066_666_667n, 18_750_000_000n, 10_000_000_000n], -5_000_000_000n)
  ledgers.push(close(alice))
  ledgers.push(builder.ledger({ closeTimeSeconds: NOON + 2 * 3600 })) // 106
  return ledgers
}

/** Both reserves and the supply of shares. */
type Instance = readonly [bigint, bigint, bigint]

const WASM = { kind: 'wasm', hash: '00'.repeat(32) } as const

function instanceOf([a, b, supply]: Instance): ScVal {
  const entry = (name: string, value: bigint): readonly [ScVal, ScVal] => [sc.symbol(name), sc.i128(value)]
  const tokens: readonly (readonly [ScVal, ScVal])[] = [
    [sc.symbol('TokenA'), sc.address(usd)],
    [sc.symbol('TokenB'), sc.address(silver)],
  ]
  return sc.instance(WASM, ...tokens, entry('ReserveA', a), entry('ReserveB', b), entry('Supply', supply))
}

/** It prices both tokens once, and believes itself for a day. */
function writeOracle(chain: Chain): void {
  const round = sc.struct({ mask: sc.bytes(Uint8Array.of(3)), prices: sc.vec(sc.i128(100_000_000_000_000n), sc.i128(50_000_000_000_000n)) })
  const stellar = (token: ContractId): ScVal => sc.vec(sc.symbol('Stellar'), sc.address(token))
  const storage: Readonly<Record<string, ScVal>> = {
    assets: sc.vec(stellar(usd), stellar(silver)),
    base_asset: sc.vec(sc.symbol('Other'), sc.symbol('USD')),
    cache: sc.vec(sc.vec(sc.u64(BigInt(NOON) * 1000n), round)),
    cache_size: sc.u32(1),
    decimals: sc.u32(14),
    last_timestamp: sc.u64(BigInt(NOON) * 1000n),
    protocol: sc.u32(2),
    resolution: sc.u32(43_200_000),
  }
  const entries = Object.entries(storage).map(([name, value]): readonly [ScVal, ScVal] => [sc.string(name), value])
  chain.set(oracle, sc.instanceKey(), sc.instance(WASM, ...entries))
}
