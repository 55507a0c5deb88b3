// Source account, fee account, fee and memo of transactions through `/v1`, against their envelopes and results as the SDK decodes them.

import { groundTruthRecording, readBatchFile } from '@orrery/testkit'
import { type Memo, MemoHash, MemoID, MemoNone, MemoReturn, MemoText, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { each } from './truth/recorded.ts'
import { sampleOf } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
/** Hashes of the transactions that the recording's activities name. */
let known: ReadonlySet<string>

beforeAll(async () => {
  whole = await WholeNetwork.open()
  const rows = await storedRows('SELECT DISTINCT tx_hash FROM orrery.activities')
  known = new Set(rows.map(({ tx_hash = '' }) => tx_hash))
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

type Meta = xdr.LedgerCloseMetaV1 | xdr.LedgerCloseMetaV2

/** One in eight of the transactions whose source pays is asked for, by the first digit of its hash, and every one that another account pays. */
const isAsked = (hash: string, { fee_account, source_account }: Facts): boolean => fee_account !== source_account || /^[08]/.test(hash)

interface Facts {
  readonly source_account: string
  readonly fee_account: string
  /** In XLM. */
  readonly fee_charged: string
  readonly memo_type: string
  readonly memo: string | null
}

/** The facts of each transaction of a ledger, by hash. */
function factsOf(ledger: Uint8Array, passphrase: string): Map<string, Facts> {
  const meta = xdr.LedgerCloseMeta.fromXdr(ledger).value as Meta
  const fees = new Map(
    meta.txProcessing.map(({ result }) => [Buffer.from(result.transactionHash.value).toString('hex'), BigInt(result.result.feeCharged)]),
  )
  return new Map(
    envelopesOf(meta).map((envelope): [string, Facts] => {
      const transaction = TransactionBuilder.fromXDR(envelope, passphrase)
      const inner = 'innerTransaction' in transaction ? transaction.innerTransaction : transaction
      const hash = Buffer.from(transaction.hash()).toString('hex')
      const source = accountOf(inner.source)
      return [
        hash,
        {
          source_account: source,
          fee_account: 'innerTransaction' in transaction ? accountOf(transaction.feeSource) : source,
          fee_charged: inXlm(fees.get(hash) ?? -1n),
          ...memoOf(inner.memo),
        },
      ]
    }),
  )
}

function envelopesOf(meta: Meta): xdr.TransactionEnvelope[] {
  return meta.txSet.value.phases.flatMap((phase): xdr.TransactionEnvelope[] =>
    phase.type === 'v0Components'
      ? phase.v0Components.flatMap((component) => component.txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  )
}

/** A muxed account is shown by its account. */
function accountOf(address: string): string {
  if (!address.startsWith('M')) return address
  return StrKey.encodeEd25519PublicKey(Buffer.from(StrKey.decodeMed25519PublicKey(address)).subarray(0, 32))
}

function inXlm(stroops: bigint): string {
  const fraction = String(stroops % 10_000_000n)
    .padStart(7, '0')
    .replace(/0+$/, '')
  return `${stroops / 10_000_000n}${fraction === '' ? '' : `.${fraction}`}`
}

function memoOf({ type, value }: Memo): Pick<Facts, 'memo_type' | 'memo'> {
  if (type === MemoNone) return { memo_type: 'none', memo: null }
  const bytes = Buffer.from(value ?? '')
  if (type === MemoText) return { memo_type: 'text', memo: bytes.toString('utf8') }
  if (type === MemoID) return { memo_type: 'id', memo: String(value) }
  if (type === MemoHash) return { memo_type: 'hash', memo: bytes.toString('hex') }
  if (type === MemoReturn) return { memo_type: 'return', memo: bytes.toString('hex') }
  throw new Error(`memo of type ${String(type)}`)
}

it('a transaction has the accounts, the fee and the memo that its envelope and its result have', async () => {
  const bumped = new Set<string>()
  let compared = 0
  await each(sampleOf(groundTruthRecording().batchFiles(), 8), async (file) => {
    for (const ledger of await readBatchFile(file)) {
      for (const [hash, facts] of factsOf(ledger, whole.network.passphrase)) {
        if (!known.has(hash) || !isAsked(hash, facts)) continue
        const { data } = await whole.get(`/v1/transactions/${hash}`)
        expect(data).toMatchObject(facts)
        if (facts.fee_account !== facts.source_account) bumped.add(hash)
        compared++
      }
    }
  })
  expect(compared).toBeGreaterThan(100)
  expect(bumped.size).toBeGreaterThan(0)
}, 900_000)
