// A small chain for built networks: it stores every entry, so that changes have their pre-images as core writes them.
// It adds and subtracts the amounts of a test and has no formula of Soroswap: the figures are the test's own.

import { type Address, type ContractId, contractBytes, type ScVal, sc, writeScVal } from '@orrery/ledger'
import type { ChangeSpec, EventSpec, OperationSpec } from '@orrery/testkit'

const LIVE_UNTIL = 500_000

interface Entry {
  readonly contract: ContractId
  readonly key: ScVal
  readonly value: ScVal
}

/** One operation in the making. */
export class Chain {
  readonly #entries = new Map<string, Entry>()
  #changed = new Map<string, { entry: Entry; before: ScVal | undefined }>()
  #events: EventSpec[] = []

  set(contract: ContractId, key: ScVal, value: ScVal): void {
    const name = `${contract} ${Buffer.from(writeScVal(key)).toString('hex')}`
    const before = this.#changed.has(name) ? this.#changed.get(name)?.before : this.#entries.get(name)?.value
    const entry = { contract, key, value }
    this.#changed.set(name, { entry, before })
    this.#entries.set(name, entry)
  }

  emit(contract: ContractId, topics: readonly ScVal[], data: ScVal): void {
    this.#events.push({ contract, topics, data })
  }

  /** What was emitted and set since the last one. */
  operation(more: Partial<OperationSpec> = {}): OperationSpec {
    const changes = [...this.#changed.values()].map(({ entry, before }): ChangeSpec => {
      if (before === undefined) return { ...entry, change: 'created', liveUntil: LIVE_UNTIL }
      return { ...entry, change: 'updated', before }
    })
    const events = this.#events
    this.#changed = new Map()
    this.#events = []
    return { events, changes, ...more }
  }
}

const i128s = (members: Readonly<Record<string, bigint>>): Record<string, ScVal> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, sc.i128(value)]))

export class BuiltFactory {
  readonly id: ContractId
  readonly #chain: Chain
  readonly #setter: Address
  pairs = 0
  fees = false

  constructor(chain: Chain, id: ContractId, setter: Address) {
    this.#chain = chain
    this.id = id
    this.#setter = setter
  }

  write(): void {
    this.#chain.set(
      this.id,
      sc.instanceKey(),
      sc.instance(
        { kind: 'wasm', hash: '5d'.repeat(32) },
        [sc.vec(sc.symbol('FeeTo')), sc.address(this.#setter)],
        [sc.vec(sc.symbol('FeeToSetter')), sc.address(this.#setter)],
        [sc.vec(sc.symbol('FeesEnabled')), sc.bool(this.fees)],
        [sc.vec(sc.symbol('TotalPairs')), sc.u32(this.pairs)],
      ),
    )
  }

  event(name: string, members: Readonly<Record<string, ScVal>>): void {
    this.#chain.emit(this.id, [sc.string('SoroswapFactory'), sc.symbol(name)], sc.struct(members))
  }

  /** Makes a pair of the two tokens, in the order of their bytes. */
  create(pair: ContractId, a: ContractId, b: ContractId): BuiltPair {
    const tokens = (Buffer.compare(contractBytes(a), contractBytes(b)) < 0 ? [a, b] : [b, a]) as [ContractId, ContractId]
    const made = new BuiltPair(this.#chain, pair, this.id, tokens)
    made.write()
    this.pairs += 1
    this.write()
    this.#chain.set(this.id, sc.vec(sc.symbol('PairAddressesNIndexed'), sc.u32(this.pairs - 1)), sc.address(pair))
    this.event('new_pair', {
      new_pairs_length: sc.u32(this.pairs),
      pair: sc.address(pair),
      token_0: sc.address(tokens[0]),
      token_1: sc.address(tokens[1]),
    })
    return made
  }
}

/** Raw amounts by token. */
export type By = Readonly<Record<ContractId, bigint>>

export class BuiltPair {
  readonly id: ContractId
  readonly tokens: readonly [ContractId, ContractId]
  readonly #chain: Chain
  readonly #factory: ContractId
  readonly #shares = new Map<Address, bigint>()
  readonly #balances = new Map<ContractId, bigint>()
  #reserves: [bigint, bigint] = [0n, 0n]
  #supply = 0n
  #kLast: bigint | null = null

  constructor(chain: Chain, id: ContractId, factory: ContractId, tokens: readonly [ContractId, ContractId]) {
    this.#chain = chain
    this.id = id
    this.#factory = factory
    this.tokens = tokens
  }

  write(): void {
    this.#chain.set(
      this.id,
      sc.instanceKey(),
      sc.instance(
        { kind: 'wasm', hash: '18'.repeat(32) },
        [sc.u32(0), sc.address(this.tokens[0])],
        [sc.u32(1), sc.address(this.tokens[1])],
        [sc.u32(2), sc.i128(this.#reserves[0])],
        [sc.u32(3), sc.i128(this.#reserves[1])],
        [sc.u32(4), sc.address(this.#factory)],
        ...(this.#kLast === null ? [] : [[sc.u32(5), sc.i128(this.#kLast)] as const]),
        ...(this.#supply === 0n ? [] : [[sc.vec(sc.symbol('TotalSupply')), sc.i128(this.#supply)] as const]),
      ),
    )
  }

  /** Tokens are sent to the pair: a donation, until the pair reads its balance. */
  receive(from: Address, amounts: By): void {
    for (const token of this.tokens) {
      const amount = amounts[token] ?? 0n
      if (amount > 0n) this.#move(token, from, this.id, amount)
    }
  }

  /** The balance that another's transfer left here. */
  arrive(token: ContractId, amount: bigint): void {
    this.#setBalance(token, amount)
  }

  deposit(from: Address, amounts: By, liquidity: bigint, fees?: { readonly to: Address; readonly minted: bigint }): void {
    const before = this.#amountsAbove()
    this.receive(from, amounts)
    this.#feeMint(fees)
    if (this.#supply === 0n) this.#mint(this.id, 1000n)
    this.#mint(from, liquidity)
    this.#settle(fees !== undefined)
    this.#say(
      'deposit',
      this.#pairwise('amount', [(amounts[this.tokens[0]] ?? 0n) + before[0], (amounts[this.tokens[1]] ?? 0n) + before[1]]),
      liquidity,
      from,
    )
  }

  withdraw(holder: Address, shares: bigint, amounts: By, fees?: { readonly to: Address; readonly minted: bigint }): void {
    this.transfer(holder, this.id, shares)
    this.#feeMint(fees)
    this.#setShares(this.id, -shares)
    this.#supply -= shares
    this.#chain.emit(this.id, [sc.symbol('burn'), sc.address(this.id)], sc.i128(shares))
    for (const token of this.tokens) this.#move(token, this.id, holder, amounts[token] ?? 0n)
    this.#settle(fees !== undefined)
    this.#say(
      'withdraw',
      this.#pairwise(
        'amount',
        this.tokens.map((token) => amounts[token] ?? 0n),
      ),
      shares,
      holder,
    )
  }

  /** `from` null: the tokens are there already, from the pair before. */
  swap(from: Address | null, given: By, taken: By, to: Address): void {
    if (from !== null) this.receive(from, given)
    for (const token of this.tokens) if ((taken[token] ?? 0n) > 0n) this.#move(token, this.id, to, taken[token] ?? 0n)
    this.#settle(null)
    const [a, b] = this.tokens
    const data = { amount_0_in: given[a] ?? 0n, amount_1_in: given[b] ?? 0n, amount_0_out: taken[a] ?? 0n, amount_1_out: taken[b] ?? 0n }
    this.#chain.emit(this.id, [sc.string('SoroswapPair'), sc.symbol('swap')], sc.struct({ ...i128s(data), to: sc.address(to) }))
  }

  skim(to: Address, amounts: By): void {
    for (const token of this.tokens) this.#move(token, this.id, to, amounts[token] ?? 0n)
    const skimmed = this.#pairwise(
      'skimmed',
      this.tokens.map((token) => amounts[token] ?? 0n),
    )
    this.#chain.emit(this.id, [sc.string('SoroswapPair'), sc.symbol('skim')], sc.struct(i128s(skimmed)))
  }

  transfer(from: Address, to: Address, shares: bigint): void {
    this.#setShares(from, -shares)
    this.#setShares(to, shares)
    this.#chain.emit(this.id, [sc.symbol('transfer'), sc.address(from), sc.address(to)], sc.i128(shares))
  }

  burn(holder: Address, shares: bigint): void {
    this.#setShares(holder, -shares)
    this.#supply -= shares
    this.write()
    this.#chain.emit(this.id, [sc.symbol('burn'), sc.address(holder)], sc.i128(shares))
  }

  sharesKey(holder: Address): ScVal {
    return sc.vec(sc.symbol('Balance'), sc.address(holder))
  }

  sharesOf(holder: Address): bigint {
    return this.#shares.get(holder) ?? 0n
  }

  #feeMint(fees: { readonly to: Address; readonly minted: bigint } | undefined): void {
    if (fees !== undefined && fees.minted > 0n) this.#mint(fees.to, fees.minted)
  }

  #mint(to: Address, shares: bigint): void {
    this.#setShares(to, shares)
    this.#supply += shares
    this.#chain.emit(this.id, [sc.symbol('mint'), sc.address(this.id), sc.address(to)], sc.i128(shares))
  }

  #setShares(holder: Address, change: bigint): void {
    const shares = this.sharesOf(holder) + change
    this.#shares.set(holder, shares)
    this.#chain.set(this.id, this.sharesKey(holder), sc.i128(shares))
  }

  #move(token: ContractId, from: Address, to: Address, amount: bigint): void {
    this.#chain.emit(token, [sc.symbol('transfer'), sc.address(from), sc.address(to)], sc.i128(amount))
    this.#setBalance(token, (to === this.id ? amount : 0n) - (from === this.id ? amount : 0n))
  }

  #setBalance(token: ContractId, change: bigint): void {
    const balance = (this.#balances.get(token) ?? 0n) + change
    this.#balances.set(token, balance)
    this.#chain.set(token, sc.vec(sc.symbol('Balance'), sc.address(this.id)), sc.i128(balance))
  }

  /** The reserves become the balances. `feesOn` null: a swap, which leaves KLast alone. */
  #settle(feesOn: boolean | null): void {
    this.#reserves = this.tokens.map((token) => this.#balances.get(token) ?? 0n) as [bigint, bigint]
    if (feesOn) this.#kLast = this.#reserves[0] * this.#reserves[1]
    this.write()
    this.#chain.emit(
      this.id,
      [sc.string('SoroswapPair'), sc.symbol('sync')],
      sc.struct(i128s({ new_reserve_0: this.#reserves[0], new_reserve_1: this.#reserves[1] })),
    )
  }

  #amountsAbove(): [bigint, bigint] {
    return this.tokens.map((token, n) => (this.#balances.get(token) ?? 0n) - (this.#reserves[n] ?? 0n)) as [bigint, bigint]
  }

  #pairwise(name: string, [a = 0n, b = 0n]: readonly bigint[]): Record<string, bigint> {
    return { [`${name}_0`]: a, [`${name}_1`]: b }
  }

  #say(name: string, amounts: Record<string, bigint>, liquidity: bigint, to: Address): void {
    const data = { ...amounts, liquidity, new_reserve_0: this.#reserves[0], new_reserve_1: this.#reserves[1] }
    this.#chain.emit(this.id, [sc.string('SoroswapPair'), sc.symbol(name)], sc.struct({ ...i128s(data), to: sc.address(to) }))
  }
}
