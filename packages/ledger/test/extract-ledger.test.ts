// The content of an extract, case by case, on built ledgers. `sdk-equality.test.ts` does the same on recorded ones.

import {
  type ChangeSpec,
  type LedgerBuilderOptions,
  type LedgerSpec,
  ledgerBuilder,
  type OperationSpec,
  testAccount,
  testContract,
} from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { encodeStrkey, extractLedger, type LedgerExtract, sc, TrackedSet, writeScVal, writeScVals } from '../src/index.ts'

const pair = testContract('pair')
const token = testContract('token')
const router = testContract('router')
const stranger = testContract('stranger')
const reserve = sc.symbol('reserve')
const balanceOf = (holder: string) => sc.vec(sc.symbol('Balance'), sc.address(holder))

const transfer = { contract: token, topics: [sc.symbol('transfer')], data: sc.i128(5n) }
const sync = { contract: pair, topics: [sc.string('SoroswapPair'), sc.symbol('sync')], data: sc.void() }
const reserveMoves: ChangeSpec = { contract: pair, key: reserve, change: 'updated', before: sc.i128(1n), value: sc.i128(6n) }

interface Tracking {
  readonly contracts?: readonly string[]
  readonly balances?: readonly (readonly [string, string])[]
}

function extract(
  spec: LedgerSpec,
  { contracts = [pair], balances = [] }: Tracking = {},
  options: LedgerBuilderOptions = {},
): LedgerExtract {
  const builder = ledgerBuilder(options)
  const tracked = new TrackedSet(builder.passphrase)
  for (const contract of contracts) tracked.addContract(contract)
  for (const [of, holder] of balances) tracked.addBalance(of, holder)
  return extractLedger(builder.ledger(spec), tracked)
}

/** One transaction with one operation. */
const one = (operation: OperationSpec): LedgerSpec => ({ transactions: [{ operations: [operation] }] })
const kinds = ({ records }: LedgerExtract): string[] => records.map((record) => (record.kind === 'entry' ? record.change : record.kind))

describe('an operation', () => {
  it('an operation with an event of a tracked contract is extracted completely, with the events of tokens and all calls', () => {
    const call = { contract: router, function: 'swap', args: [sc.u32(1)] }
    const { records } = extract(one({ call, events: [transfer, sync, { ...transfer, type: 'system' }] }))
    expect(records).toEqual([
      {
        kind: 'event',
        tx: 0,
        opIndex: 0,
        index: 0,
        contract: token,
        type: 'contract',
        topics: writeScVals(transfer.topics),
        data: writeScVal(transfer.data),
      },
      {
        kind: 'event',
        tx: 0,
        opIndex: 0,
        index: 1,
        contract: pair,
        type: 'contract',
        topics: writeScVals(sync.topics),
        data: writeScVal(sync.data),
      },
      {
        kind: 'event',
        tx: 0,
        opIndex: 0,
        index: 2,
        contract: token,
        type: 'system',
        topics: writeScVals(transfer.topics),
        data: writeScVal(transfer.data),
      },
      {
        kind: 'call',
        tx: 0,
        opIndex: 0,
        index: 0,
        parent: -1,
        authorizer: null,
        contract: router,
        function: 'swap',
        args: writeScVals([sc.u32(1)]),
      },
    ])
  })

  it('an operation that changes a tracked contract without an event is extracted completely, except entries of untracked contracts', () => {
    const others: ChangeSpec = { ...reserveMoves, contract: stranger }
    const found = extract(one({ call: { contract: router, function: 'add' }, events: [transfer], changes: [others, reserveMoves] }))
    expect(kinds(found)).toEqual(['updated', 'event', 'call'])
    expect(found.records[0]).toMatchObject({ contract: pair, index: 3, durability: 'persistent' })
  })

  it('an operation without tracked contracts is not extracted, and neither is its transaction', () => {
    const { transactions, records } = extract(
      one({ call: { contract: router, function: 'x' }, events: [transfer], changes: [{ ...reserveMoves, contract: stranger }] }),
    )
    expect({ transactions, records }).toEqual({ transactions: [], records: [] })
  })

  it('a failed operation has no records, but counts for the apply order', () => {
    const swap = { operations: [{ events: [sync], changes: [reserveMoves] }] }
    const { transactions, records } = extract({
      transactions: [{ ...swap, failed: true }, { ...swap, failed: true, feeSource: testAccount('sponsor') }, swap],
    })
    expect(transactions.map(({ txOrder }) => txOrder)).toEqual([3])
    expect(records.map(({ tx }) => tx)).toEqual([0, 0, 0])
  })

  it.each([20, 22, 23, 27, 28, 29, 30])(
    'an operation of protocol %i gives the same records, though events are stored elsewhere before protocol 23',
    (protocolVersion) => {
      const spec = one({ call: { contract: router, function: 'swap' }, events: [transfer, sync], changes: [reserveMoves] })
      const { header, ...rest } = extract(spec, {}, { protocolVersion })
      expect(header.protocolVersion).toBe(protocolVersion)
      expect(rest).toMatchObject({ records: extract(spec).records, transactions: [{ txOrder: 1, feeSource: null, innerHash: null }] })
    },
  )

  it('diagnostic events are never extracted, not even one among the events of an operation', () => {
    const found = extract(one({ events: [{ ...sync, type: 'diagnostic' }, sync] }))
    expect(found.records.filter(({ kind }) => kind === 'event')).toMatchObject([{ index: 1, contract: pair }])
    expect(extract(one({ events: [{ ...sync, type: 'diagnostic' }] })).records).toEqual([])
  })

  it('an operation of a classic transaction with an event of a tracked token is extracted, although its envelope has no footprint', () => {
    const payment: OperationSpec = { kind: 'payment', events: [transfer] }
    const plain: OperationSpec = { kind: 'payment' }
    const spec = {
      transactions: [{ operations: [plain, payment] }, { operations: [payment], oldEnvelope: true, source: testAccount('old') }],
    }
    const { transactions, records } = extract(spec, { contracts: [token] })
    expect(records).toMatchObject([
      { kind: 'event', tx: 0, opIndex: 1 },
      { kind: 'event', tx: 1, opIndex: 0 },
    ])
    expect(transactions).toMatchObject([{ source: testAccount('source') }, { source: testAccount('old') }])
  })
})

describe('a change of an entry', () => {
  const change = (spec: ChangeSpec) => extract(one({ changes: [spec] })).records.filter(({ kind }) => kind === 'entry')
  const [was, is] = [sc.i128(1n), sc.i128(6n)]
  const entry = { contract: pair, key: reserve }

  it.each<[string, ChangeSpec, object]>([
    [
      'created',
      { ...entry, change: 'created', value: is, liveUntil: 77 },
      { index: 1, value: writeScVal(is), before: null, liveUntil: 77 },
    ],
    [
      'updated',
      { ...entry, change: 'updated', before: was, value: is, liveUntil: 77 },
      { index: 1, value: writeScVal(is), before: writeScVal(was), liveUntil: 77 },
    ],
    [
      'updated',
      { ...entry, change: 'updated', before: was, value: was },
      { index: 1, value: writeScVal(was), before: writeScVal(was), liveUntil: null },
    ],
    ['removed', { ...entry, change: 'removed', before: was }, { index: 1, value: null, before: writeScVal(was), liveUntil: null }],
    [
      'restored',
      { ...entry, change: 'restored', value: is, liveUntil: 77 },
      { index: 0, value: writeScVal(is), before: writeScVal(is), liveUntil: 77 },
    ],
    [
      'restored',
      { ...entry, change: 'restored', before: was, value: is },
      { index: 1, value: writeScVal(is), before: writeScVal(was), liveUntil: null },
    ],
    [
      'removed',
      { ...entry, change: 'restored', before: was, value: null },
      { index: 1, value: null, before: writeScVal(was), liveUntil: null },
    ],
  ])('a change of an entry is extracted as %s', (name, spec, expected) => {
    expect(change(spec)).toEqual([
      { kind: 'entry', tx: 0, opIndex: 0, change: name, contract: pair, key: writeScVal(reserve), durability: 'persistent', ...expected },
    ])
  })

  it('changes are netted by key, and temporary and persistent keys are different', () => {
    const twice: ChangeSpec[] = [
      { ...entry, change: 'created', value: was },
      { ...entry, change: 'updated', before: was, value: is },
      { ...entry, durability: 'temporary', change: 'created', value: was },
      { contract: pair, key: sc.symbol('fleeting'), change: 'created', value: was },
      { contract: pair, key: sc.symbol('fleeting'), change: 'removed', before: was },
    ]
    expect(extract(one({ changes: twice })).records.filter(({ kind }) => kind === 'entry')).toMatchObject([
      { change: 'created', durability: 'persistent', index: 2, value: writeScVal(is) },
      { change: 'created', durability: 'temporary', index: 3 },
    ])
  })

  it('a change of a nonce is not extracted, under an account as under a tracked contract', () => {
    const nonce = {
      key: { type: 'nonce_key', value: 5n },
      durability: 'temporary',
      change: 'created',
      value: sc.void(),
      liveUntil: 99,
    } as const
    expect(
      extract(
        one({
          changes: [
            { ...nonce, contract: pair },
            { ...nonce, contract: testAccount('signer') },
          ],
        }),
      ).records,
    ).toEqual([])
  })
})

describe('a balance that is tracked by key', () => {
  const moves = (holder: string): ChangeSpec => ({
    contract: token,
    key: balanceOf(holder),
    change: 'updated',
    before: sc.i128(1n),
    value: sc.i128(2n),
  })
  const tracking = { contracts: [], balances: [[token, pair]] as const }

  it('a tracked balance makes the operation extracted completely, without the balances of others', () => {
    const found = extract(
      one({
        call: { contract: router, function: 'swap' },
        events: [transfer],
        changes: [moves(stranger), moves(pair), moves(testAccount('holder'))],
      }),
      tracking,
    )
    expect(kinds(found)).toEqual(['updated', 'event', 'call'])
    expect(found.records[0]).toMatchObject({ contract: token, key: writeScVal(balanceOf(pair)) })
  })

  it('a tracked balance does not make the rest of its token tracked', () => {
    const others: ChangeSpec[] = [
      { ...reserveMoves, contract: token },
      { contract: token, key: sc.vec(sc.symbol('Allowance'), sc.address(pair)), change: 'created', value: sc.void() },
      { contract: token, key: sc.vec(sc.symbol('Balance'), sc.address(pair), sc.void()), change: 'created', value: sc.void() },
      { contract: token, key: sc.instanceKey(), change: 'ttl', from: 1, liveUntil: 2 },
    ]
    expect(extract(one({ events: [transfer], changes: others }), tracking).records).toEqual([])
  })
})

describe('a TTL', () => {
  const extended: ChangeSpec = { contract: pair, key: sc.instanceKey(), change: 'ttl', from: 50, liveUntil: 90 }
  const ttl = { kind: 'ttl', tx: 0, opIndex: 0, contract: pair, key: writeScVal(sc.instanceKey()), durability: 'persistent', liveUntil: 90 }

  it('a TTL that alone is extended is extracted alone', () => {
    const operation = { call: { contract: router, function: 'x' }, events: [transfer] }
    expect(extract(one({ ...operation, changes: [extended, { ...extended, contract: stranger }] })).records).toEqual([ttl])
    expect(extract(one({ kind: 'extend', changes: [extended] })).records).toEqual([ttl])
  })

  it('TTL records are between entries and events', () => {
    expect(kinds(extract(one({ changes: [extended, reserveMoves], events: [sync] })))).toEqual(['updated', 'ttl', 'event', 'call'])
  })

  it('the TTL of a tracked balance is extracted as well', () => {
    const balance: ChangeSpec = { ...extended, contract: token, key: balanceOf(pair) }
    expect(extract(one({ changes: [balance] }), { contracts: [], balances: [[token, pair]] }).records).toMatchObject([
      { kind: 'ttl', contract: token },
    ])
  })

  it('a TTL that core repeats unchanged is no change', () => {
    expect(extract(one({ changes: [{ ...extended, liveUntil: 50 } as ChangeSpec] })).records).toEqual([])
  })

  it('a TTL is found by the footprint of a fee bump', () => {
    const { transactions, records } = extract({
      transactions: [{ feeSource: testAccount('sponsor'), operations: [{ kind: 'extend', changes: [extended] }] }],
    })
    expect(records).toEqual([ttl])
    expect(transactions).toMatchObject([{ feeSource: testAccount('sponsor') }])
  })
})

describe('an eviction', () => {
  it('evictions of tracked contracts and balances are extracted after everything else', () => {
    const evicted = [
      { contract: pair, key: reserve },
      { contract: stranger, key: reserve },
      { contract: token, key: balanceOf(pair), durability: 'persistent' },
      { contract: pair, key: { type: 'nonce_key', value: 1n }, durability: 'temporary' },
      { contract: pair, key: sc.symbol('price'), durability: 'temporary' },
    ] as const
    const spec = { ...one({ events: [sync] }), evicted }
    for (const protocolVersion of [22, 27]) {
      const { records } = extract(spec, { contracts: [pair], balances: [[token, pair]] }, { protocolVersion })
      expect(records.filter(({ tx }) => tx === -1)).toEqual([
        { kind: 'evicted', tx: -1, opIndex: 0, contract: pair, key: writeScVal(reserve), durability: 'persistent' },
        { kind: 'evicted', tx: -1, opIndex: 0, contract: token, key: writeScVal(balanceOf(pair)), durability: 'persistent' },
        { kind: 'evicted', tx: -1, opIndex: 0, contract: pair, key: writeScVal(sc.symbol('price')), durability: 'temporary' },
      ])
      expect(records.findIndex(({ tx }) => tx === -1)).toBe(records.length - 3)
    }
  })
})

describe('calls', () => {
  it('calls are numbered in pre-order over the own call and all trees; creations have no number and their children belong to the call above', () => {
    const vault = testContract('vault')
    const leaf = (name: string) => ({ contract: token, function: name })
    const { records } = extract(
      one({
        call: { contract: router, function: 'own' },
        events: [sync],
        auth: [
          {
            root: { call: leaf('a'), under: [{ call: leaf('b'), under: [leaf('c')] }, { call: 'create', under: [leaf('d')] }, leaf('e')] },
          },
          { authorizer: vault, root: 'create' },
          { authorizer: testAccount('signer'), root: leaf('f') },
        ],
      }),
    )
    const calls = records.flatMap((record) =>
      record.kind === 'call' ? [[record.index, record.parent, record.function, record.authorizer]] : [],
    )
    expect(calls).toEqual([
      [0, -1, 'own', null],
      [1, -1, 'a', null],
      [2, 1, 'b', null],
      [3, 2, 'c', null],
      [4, 1, 'd', null],
      [5, 1, 'e', null],
      [6, -1, 'f', testAccount('signer')],
    ])
  })

  it('calls to a muxed contract of protocol 30 name the contract; arguments keep the full address', () => {
    const muxed = encodeStrkey('W', Uint8Array.from([...new Uint8Array(32).fill(7), 0, 0, 0, 0, 0, 0, 0, 9]))
    const spec = one({ call: { contract: muxed, function: 'x', args: [sc.address(muxed)] }, events: [sync] })
    const { records } = extract(spec, {}, { protocolVersion: 30 })
    expect(records.at(-1)).toMatchObject({
      contract: encodeStrkey('C', new Uint8Array(32).fill(7)),
      args: writeScVals([sc.address(muxed)]),
    })
  })
})

describe('a transaction', () => {
  it('a transaction has the account of a muxed source, and the account that paid the fee bump', () => {
    const account = testAccount('source')
    const muxed = (name: string) => encodeStrkey('M', Uint8Array.from([...new Uint8Array(32).fill(name.length), 0, 0, 0, 0, 0, 0, 1, 0]))
    const plain = (name: string) => encodeStrkey('G', new Uint8Array(32).fill(name.length))
    const operations = [{ events: [sync], changes: [reserveMoves] }]
    const { transactions } = extract({
      transactions: [
        { operations },
        { operations, source: muxed('three') },
        { operations, source: muxed('two'), feeSource: muxed('sponsor') },
      ],
    })
    expect(transactions).toMatchObject([
      { txOrder: 1, source: account, feeSource: null, innerHash: null },
      { txOrder: 2, source: plain('three'), feeSource: null },
      { txOrder: 3, source: plain('two'), feeSource: plain('sponsor'), innerHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it('an envelope is not found with the passphrase of another network, and the message names the passphrase', () => {
    const tracked = new TrackedSet('Another Network')
    tracked.addContract(pair)
    const bytes = ledgerBuilder().ledger(one({ events: [sync] }))
    expect(() => extractLedger(bytes, tracked)).toThrow(
      expect.objectContaining({ code: 'envelope_missing', message: expect.stringContaining('passphrase') }),
    )
  })
})

describe('a ledger', () => {
  it('a ledger of version 0 is refused with its version', () => {
    const refusal = expect.objectContaining({ code: 'ledger_version_unsupported' })
    expect(() => extract({ version: 0 })).toThrow(refusal)
  })

  it('a ledger whose transaction set consensus dropped has no transactions', () => {
    for (const protocolVersion of [28, 30])
      expect(extract({ emptyTxSet: true }, {}, { protocolVersion })).toMatchObject({ transactions: [], records: [] })
  })

  it('the close time of protocol 30 is in whole seconds, and may equal that of the ledger before', () => {
    const { ledger } = ledgerBuilder({ protocolVersion: 30, intervalSeconds: 0 })
    const tracked = new TrackedSet('x')
    const times = [ledger({ closeTimeMillis: 100 }), ledger({ closeTimeMillis: 900 })].map(
      (bytes) => extractLedger(bytes, tracked).header.closeTimeSeconds,
    )
    expect(times).toEqual([1_700_000_000, 1_700_000_000])
  })

  it('an extract has plain views, also of a Buffer', () => {
    const { ledger, passphrase } = ledgerBuilder()
    const bytes = ledger(one({ events: [sync], changes: [reserveMoves] }))
    const tracked = TrackedSet.everything(passphrase)
    expect(extractLedger(Buffer.from(bytes), tracked)).toEqual(extractLedger(bytes, tracked))
  })
})

describe('a tracked set', () => {
  it('a tracked set reports new contracts, counts them, and grows', () => {
    const tracked = new TrackedSet('x')
    expect([
      tracked.addContract(pair),
      tracked.addContract(pair),
      tracked.addBalance(token, pair),
      tracked.addBalance(token, pair),
    ]).toEqual([true, false, true, false])
    expect([tracked.hasContract(pair), tracked.hasContract(token), tracked.size]).toEqual([true, false, 2])
    expect(tracked.addContract(token)).toBe(true)
    for (let n = 0; n < 2000; n++) tracked.addContract(testContract(`pool ${n}`))
    expect([tracked.hasContract(testContract('pool 1999')), tracked.hasContract(testContract('pool 2000')), tracked.size]).toEqual([
      true,
      false,
      2003,
    ])
    const { ledger } = ledgerBuilder({ passphrase: 'x' })
    const bytes = ledger(one({ events: [{ ...sync, contract: testContract('pool 1234') }] }))
    expect(extractLedger(bytes, tracked).records).toHaveLength(2)
  })

  it('a tracked set accepts contracts only', () => {
    expect(() => new TrackedSet('x').addContract(testAccount('a'))).toThrow(expect.objectContaining({ code: 'invalid_strkey' }))
  })
})
