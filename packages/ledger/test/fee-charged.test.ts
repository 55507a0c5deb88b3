// The fee of a transaction is what its ledger took from the account that paid: the changes before, around and after its operations, as the SDK
// reads them.

import { readBatchFile, recording } from '@orrery/testkit'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import { describe, expect, it } from 'vitest'
import { extractLedger, TrackedSet } from '../src/index.ts'
import { FORGE, filesIn, ledgersIn, PUBNET } from './ledgers.ts'

type Meta = xdr.LedgerCloseMetaV1 | xdr.LedgerCloseMetaV2

describe('the fee charged', () => {
  it('is what the paying account lost outside of the operations, refunds included, in the shipped recording', async () => {
    const forge = recording()
    let bumps = 0
    for (const file of forge.batchFiles().filter((_, n) => n % 20 === 0))
      for (const ledger of await readBatchFile(file)) bumps += compare(ledger, FORGE).bumps
    expect(bumps).toBeGreaterThan(0)
  })

  it.skipIf(filesIn('mainnet').length === 0)('is what the paying account lost in ledgers of mainnet', async () => {
    let transactions = 0
    for (const file of filesIn('mainnet')) for (const ledger of await ledgersIn(file)) transactions += compare(ledger, PUBNET).transactions
    expect(transactions).toBeGreaterThan(100)
  })
})

function compare(bytes: Uint8Array, passphrase: string): { transactions: number; bumps: number } {
  const { transactions } = extractLedger(bytes, TrackedSet.everything(passphrase))
  const { txProcessing } = xdr.LedgerCloseMeta.fromXdr(bytes).value as Meta
  for (const { txOrder, source, feeSource, feeCharged } of transactions) {
    const item = txProcessing[txOrder - 1] as Meta['txProcessing'][number]
    const meta = item.txApplyProcessing.value as xdr.TransactionMetaV3 | xdr.TransactionMetaV4
    // Before protocol 23 a refund is after the operations of the transaction, from then on after all transactions.
    const parts = [
      item.feeProcessing,
      meta.txChangesBefore,
      meta.txChangesAfter,
      'postTxApplyFeeProcessing' in item ? item.postTxApplyFeeProcessing : [],
    ]
    const lost = parts.reduce((sum, changes) => sum + lossOf(feeSource ?? source, changes), 0n)
    expect(feeCharged).toBe(lost)
  }
  return { transactions: transactions.length, bumps: transactions.filter(({ feeSource }) => feeSource !== null).length }
}

/** Balance of the account before the changes minus its balance after them. */
function lossOf(account: string, changes: readonly xdr.LedgerEntryChange[]): bigint {
  const balances = changes.flatMap((change) => {
    if (change.type === 'ledgerEntryRemoved') return []
    const { data } = change.value as xdr.LedgerEntry
    if (data.type !== 'account' || StrKey.encodeEd25519PublicKey(Buffer.from(data.account.accountId.value.value)) !== account) return []
    return [BigInt(data.account.balance)]
  })
  return (balances[0] ?? 0n) - (balances.at(-1) ?? 0n)
}
