// A built network, minute by minute: every figure was chosen so that its results can be computed by hand.

import { sc } from '@orrery/ledger'
import { type LedgerSpec, ledgerBuilder, type OperationSpec, testAccount, testContract } from '@orrery/testkit'
import { BuiltFactory, type BuiltPair, Chain } from './built-chain.ts'

export const PASSPHRASE = 'A network of one afternoon'
export const FIRST = 100
/** 2023-11-14T12:00:00Z: an hour, and a round of the oracle, begin. */
export const NOON = 1_699_963_200

export const usd = testContract('built usd') // 6 decimals, 1 USD by the oracle
export const silver = testContract('built silver') // 7 decimals, 0.50 USD by the oracle
export const gold = testContract('built gold') // 18 decimals, priced by its pair alone
export const mud = testContract('built mud') // its decimals are unknown
export const first = testContract('built first factory')
export const second = testContract('built second factory')
export const router = testContract('built router')
export const oracle = testContract('built oracle')
export const vault = testContract('built vault')
export const goldPair = testContract('built pair of gold')
export const silverPair = testContract('built pair of silver')
export const mudPair = testContract('built pair of mud')
export const pretender = testContract('built pretender')
export const [alice, bob, carol, erin, setter, sponsor] = ['alice', 'bob', 'carol', 'erin', 'setter', 'sponsor'].map(testAccount) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

export const registry = {
  network: 'afternoon',
  passphrase: PASSPHRASE,
  first_ledger: FIRST,
  protocols: {
    soroswap: {
      deployments: [
        { factory: first, routers: [router], from_ledger: FIRST },
        { factory: second, routers: [], from_ledger: FIRST },
      ],
    },
  },
  oracles: [{ contract: oracle, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }],
  assets: {
    [usd]: { code: 'USDX', issuer: null, decimals: 6 },
    [silver]: { code: 'SLV', issuer: null, decimals: 7 },
    [gold]: { code: 'GLD', issuer: null, decimals: 18 },
  },
}

/** Whole numbers of the smallest units. */
const E6 = 1_000_000n
const E7 = 10_000_000n
const E18 = 10n ** 18n

/** The ledgers, oldest first. */
export function buildLedgers(): Uint8Array[] {
  const chain = new Chain()
  const one = new BuiltFactory(chain, first, setter)
  const two = new BuiltFactory(chain, second, setter)
  const fake = new BuiltFactory(chain, pretender, setter)
  const builder = ledgerBuilder({
    passphrase: PASSPHRASE,
    protocolVersion: 23,
    firstLedger: FIRST,
    closeTimeSeconds: NOON,
    intervalSeconds: 60,
  })
  const by = (source: string, operation: OperationSpec, more: object = {}) => ({ source, operations: [operation], ...more })
  const routed = (name: 'add' | 'remove', pair: BuiltPair, liquidity: bigint, to: string): void =>
    chain.emit(
      router,
      [sc.string('SoroswapRouter'), sc.symbol(name)],
      sc.struct({ liquidity: sc.i128(liquidity), pair: sc.address(pair.id), to: sc.address(to) }),
    )
  const ledgers: Uint8Array[] = []
  const close = (spec: LedgerSpec = {}): void => void ledgers.push(builder.ledger(spec))

  close() // 100

  // 101: the oracle is set up and prices both: its prices are valid for a day.
  const round = sc.struct({ mask: sc.bytes(Uint8Array.of(3)), prices: sc.vec(sc.i128(100_000_000_000_000n), sc.i128(50_000_000_000_000n)) })
  chain.set(
    oracle,
    sc.instanceKey(),
    sc.instance(
      { kind: 'wasm', hash: '00'.repeat(32) },
      [sc.string('assets'), sc.vec(...[usd, silver].map((token) => sc.vec(sc.symbol('Stellar'), sc.address(token))))],
      [sc.string('base_asset'), sc.vec(sc.symbol('Other'), sc.symbol('USD'))],
      [sc.string('cache'), sc.vec(sc.vec(sc.u64(BigInt(NOON) * 1000n), round))],
      [sc.string('cache_size'), sc.u32(1)],
      [sc.string('decimals'), sc.u32(14)],
      [sc.string('last_timestamp'), sc.u64(BigInt(NOON) * 1000n)],
      [sc.string('protocol'), sc.u32(2)],
      [sc.string('resolution'), sc.u32(43_200_000)],
    ),
  )
  one.write()
  two.write()
  close({ transactions: [by(setter, chain.operation())] })

  // 102: one call makes the pair of gold and fills it; a second one, of two actions, makes and fills the pair of silver.
  const golds = one.create(goldPair, usd, gold)
  golds.deposit(alice, { [usd]: 4000n * E6, [gold]: 10n * E18 }, 199_999_999_999_000n)
  routed('add', golds, 199_999_999_999_000n, alice)
  const making = chain.operation({ call: { contract: router, function: 'add_liquidity' } })
  const silvers = two.create(silverPair, usd, silver)
  silvers.deposit(bob, { [usd]: 2000n * E6, [silver]: 5000n * E7 }, 9_999_999_000n)
  close({ transactions: [by(alice, making), by(bob, chain.operation())] })

  // 103, protocol 27: the pretender announces and fills a pair of its own, with the same topics.
  const fakes = fake.create(testContract('built fake pair'), usd, silver)
  fakes.deposit(erin, { [usd]: 9_000_000n * E6, [silver]: 9n * E7 }, 1_000_000n)
  close({ protocolVersion: 27, transactions: [by(erin, chain.operation())] })

  // 104: gold to silver over two pairs of two factories; another account pays the fee. Before and after it the same fails.
  const given = E18 / 10n
  const between = 39_486_321n
  const taken = 965_197_665n
  golds.swap(carol, { [gold]: given }, { [usd]: between }, silverPair)
  // The pair has the tokens by now: the transfer above is of the first pair's balance, this one of the second's.
  silvers.arrive(usd, between)
  silvers.swap(null, { [usd]: between }, { [silver]: taken }, carol)
  chain.emit(
    router,
    [sc.string('SoroswapRouter'), sc.symbol('swap')],
    sc.struct({
      amounts: sc.vec(sc.i128(given), sc.i128(between), sc.i128(taken)),
      path: sc.vec(...[gold, usd, silver].map(sc.address)),
      to: sc.address(carol),
    }),
  )
  const path = chain.operation()
  close({ transactions: [by(carol, path, { failed: true }), by(carol, path, { feeSource: sponsor }), by(carol, path, { failed: true })] })

  // 105, protocol 30: a contract calls the pair of gold itself.
  golds.swap(vault, { [usd]: 10n * E6 }, { [gold]: 25_361_393_759_805_453n }, vault)
  close({ protocolVersion: 30, transactions: [by(erin, chain.operation())] })

  // 106: half of the shares go to bob. 107: he burns a quarter of all.
  golds.transfer(alice, bob, 100_000_000_000_000n)
  close({ transactions: [by(alice, chain.operation())] })
  golds.burn(bob, 50_000_000_000_000n)
  close({ transactions: [by(bob, chain.operation())] })

  // 108: a gift of 100 USD; 109: it is skimmed off; 110: another one, of 50 USD, stays.
  golds.receive(erin, { [usd]: 100n * E6 })
  close({ transactions: [by(erin, chain.operation())] })
  golds.skim(erin, { [usd]: 100n * E6 })
  close({ transactions: [by(erin, chain.operation())] })
  golds.receive(erin, { [usd]: 50n * E6 })
  close({ transactions: [by(erin, chain.operation())] })

  // 111: alice withdraws a third of all shares; the gift is in it.
  golds.withdraw(alice, 50_000_000_000_000n, { [usd]: 1_340_171_226n, [gold]: 3_358_212_868_746_731_515n })
  routed('remove', golds, 50_000_000_000_000n, alice)
  close({ transactions: [by(alice, chain.operation())] })

  // 112: the first factory switches its fee on. 113: the first deposit after it remembers K. 114: a swap lets K grow.
  one.fees = true
  one.write()
  one.event('fees', { fees_enabled: sc.bool(true) })
  close({ transactions: [by(setter, chain.operation({ call: { contract: first, function: 'set_fees_enabled' } }))] })
  golds.deposit(carol, { [usd]: 2_680_342_453n, [gold]: 6_716_425_737_493_463_032n }, 100_000_000_000_000n, { to: setter, minted: 0n })
  close({ transactions: [by(carol, chain.operation())] })
  golds.swap(erin, { [usd]: 1000n * E6 }, { [gold]: 2_106_514_103_572_965_792n }, erin)
  close({ transactions: [by(erin, chain.operation())] })

  // 115: the fee is minted before carol's withdraw.
  golds.withdraw(
    carol,
    50_000_000_000_000n,
    { [usd]: 1_590_108_719n, [gold]: 2_831_473_037_296_753_296n },
    { to: setter, minted: 7_862_024_838n },
  )
  close({ transactions: [by(carol, chain.operation())] })

  // 116: a pair of mud, whose decimals are unknown. 117: bob's shares are evicted. 118: they are restored.
  const muds = two.create(mudPair, usd, mud)
  muds.deposit(erin, { [usd]: 100n * E6, [mud]: 400n }, 199_000n)
  close({ transactions: [by(erin, chain.operation())] })
  const bobs = { contract: goldPair, key: golds.sharesKey(bob) }
  close({ evicted: [bobs] })
  const shares = sc.i128(golds.sharesOf(bob))
  close({ transactions: [by(bob, { kind: 'restore', changes: [{ ...bobs, change: 'restored', value: shares, liveUntil: 600_000 }] })] })

  // 119: five quiet hours later. Then a ledger every forty minutes, 120 to 125, with nothing in it.
  close({ closeTimeSeconds: NOON + 5 * 3600 + 1080 })
  for (let n = 1; n <= 6; n++) close({ closeTimeSeconds: NOON + 5 * 3600 + 1080 + n * 2400 })
  return ledgers
}
