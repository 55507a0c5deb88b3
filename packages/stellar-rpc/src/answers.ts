// The answers of Stellar RPC, read by schema. Numbers are strings in some methods and versions: both are read.

import { z } from 'zod'

const wholeNumber = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/).transform(Number)])
const base64 = z.base64().transform((text): Uint8Array => Buffer.from(text, 'base64'))
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const range = { latestLedger: wholeNumber, oldestLedger: wholeNumber, latestLedgerCloseTime: wholeNumber.optional() }

export const Health = z.object(range).transform(withCloseTime)

export const NetworkFacts = z.object({ passphrase: z.string().min(1), protocolVersion: wholeNumber })

export const LatestLedger = z
  .object({ id: hash, sequence: wholeNumber, protocolVersion: wholeNumber })
  .transform(({ id, ...rest }) => ({ hash: id, ...rest }))

export const VersionInfo = z.object({ version: z.string(), protocolVersion: wholeNumber })

/** `metadataXdr` is the largest part of all traffic, and is not validated as base64: the ledger reader refuses broken bytes. */
const Ledger = z
  .object({ sequence: wholeNumber, hash, ledgerCloseTime: wholeNumber, metadataXdr: z.string().min(1) })
  .transform(({ sequence, hash, ledgerCloseTime, metadataXdr }) => ({
    sequence,
    hash,
    closeTimeSeconds: ledgerCloseTime,
    bytes: Buffer.from(metadataXdr, 'base64') as Uint8Array,
  }))

export const Ledgers = z.object({ ...range, ledgers: z.array(Ledger) }).transform(withCloseTime)

export const LedgerEntries = z.object({
  latestLedger: wholeNumber,
  entries: z
    .array(
      z
        .object({ key: base64, xdr: base64, lastModifiedLedgerSeq: wholeNumber, liveUntilLedgerSeq: wholeNumber.optional() })
        .transform(({ key, xdr, lastModifiedLedgerSeq, liveUntilLedgerSeq }) => ({
          key,
          data: xdr,
          lastModifiedLedger: lastModifiedLedgerSeq,
          liveUntilLedger: liveUntilLedgerSeq ?? null,
        })),
    )
    .nullish()
    .transform((entries) => entries ?? []),
})

function withCloseTime<T extends { readonly latestLedgerCloseTime?: number | undefined }>({ latestLedgerCloseTime, ...rest }: T) {
  return { ...rest, latestCloseTimeSeconds: latestLedgerCloseTime ?? null }
}
