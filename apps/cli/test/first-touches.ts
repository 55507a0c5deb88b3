// What an index that begins late can know: an entry is known from the ledger before its first change on, by its pre-image.

import { readFileSync } from 'node:fs'
import { extractLedger, readLedgerHeader, sc, TrackedSet, writeScVal } from '@orrery/ledger'
import { type Recording, readBatchFile, recording } from '@orrery/testkit'

export interface FirstTouches {
  /** Whether the pair's own entry shows its reserves at the end of `ledger`. */
  pair(contract: string, ledger: number): boolean
  /** Whether an entry shows the holder's shares. */
  shares(contract: string, holder: string, ledger: number): boolean
}

/** The scenario's pairs with their tokens, as `known_pools` of a registry. */
export function soroswapPools(): { protocol: 'soroswap'; contract: string; from_ledger: number; tokens: string[] }[] {
  const { soroswap } = scenario()
  return Object.entries(soroswap.pairs).map(([contract, { from_ledger, token_0, token_1 }]) => ({
    protocol: 'soroswap',
    contract,
    from_ledger,
    tokens: [token_0, token_1],
  }))
}

export async function firstTouches(first: number, last: number): Promise<FirstTouches> {
  const tracked = new TrackedSet(scenario().passphrase)
  for (const { contract } of soroswapPools()) tracked.addContract(contract)
  const knownFrom = new Map<string, number>()
  for await (const bytes of ledgersOf(recording(), first, last)) {
    const { header, records } = extractLedger(bytes, tracked)
    for (const record of records) {
      if (record.kind !== 'entry') continue
      const name = `${record.contract} ${Buffer.from(record.key).toString('hex')}`
      const from = record.before === null ? header.sequence : header.sequence - 1
      knownFrom.set(name, Math.min(knownFrom.get(name) ?? from, from))
    }
  }
  const isKnown = (contract: string, key: Uint8Array, ledger: number): boolean =>
    (knownFrom.get(`${contract} ${Buffer.from(key).toString('hex')}`) ?? Number.POSITIVE_INFINITY) <= ledger
  const pair = (contract: string, ledger: number): boolean => isKnown(contract, writeScVal(sc.instanceKey()), ledger)
  return {
    pair,
    shares: (contract, holder, ledger) =>
      pair(contract, ledger) && isKnown(contract, writeScVal(sc.vec(sc.symbol('Balance'), sc.address(holder))), ledger),
  }
}

interface Scenario {
  readonly passphrase: string
  readonly soroswap: { readonly pairs: Record<string, { from_ledger: number; token_0: string; token_1: string }> }
}

function scenario(): Scenario {
  return JSON.parse(readFileSync(recording().networkFile, 'utf8'))
}

async function* ledgersOf({ batchFiles }: Recording, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (const file of batchFiles()) {
    const [, from, to] = /--(\d+)-(\d+)\.xdr/.exec(file) ?? []
    if (Number(to) < first || Number(from) > last) continue
    for (const bytes of await readBatchFile(file)) {
      const { sequence } = readLedgerHeader(bytes)
      if (sequence >= first && sequence <= last) yield bytes
    }
  }
}
