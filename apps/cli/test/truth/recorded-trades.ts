// Trades of Aquarius's and Soroswap's pools, read from the events of the recorded ledgers: nothing of a fold takes part.

import { readFileSync } from 'node:fs'
import { extractLedger, readScVal, readScVals, type ScVal, TrackedSet } from '@orrery/ledger'
import { readBatchFile } from '@orrery/testkit'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'

export interface RecordedTrade {
  readonly ledger: number
  readonly closeTime: number
  readonly pool: string
  /** What went in, by token: a swap of Soroswap may take both. */
  readonly amountsIn: readonly { readonly token: string; readonly amount: bigint }[]
  readonly tokenOut: string | null
  /** From the event of Aquarius; null for Soroswap. */
  readonly fee: bigint | null
}

/** The factory's switch of Soroswap's protocol fee, at the ledgers where an event turned it. */
export interface FeeSwitch {
  readonly ledger: number
  readonly isOn: boolean
}

export interface RecordedTrades {
  readonly trades: readonly RecordedTrade[]
  readonly switches: readonly FeeSwitch[]
}

/** `pairs`: the tokens of Soroswap's pairs in their order; `pools`: those of Aquarius; `factories`: Soroswap's. */
export async function readTrades(
  pairs: ReadonlyMap<string, readonly string[]>,
  pools: ReadonlySet<string>,
  factories: readonly string[],
): Promise<RecordedTrades> {
  const { batchFiles, networkFile } = groundTruthRecording()
  const tracked = new TrackedSet((JSON.parse(readFileSync(networkFile, 'utf8')) as { readonly passphrase: string }).passphrase)
  for (const contract of [...pairs.keys(), ...pools, ...factories]) tracked.addContract(contract)
  const trades: RecordedTrade[] = []
  const switches: FeeSwitch[] = []
  for (const file of batchFiles()) {
    for (const bytes of await readBatchFile(file)) {
      const { header, records } = extractLedger(bytes, tracked)
      const at = { ledger: header.sequence, closeTime: header.closeTimeSeconds }
      for (const record of records) {
        if (record.kind !== 'event' || record.contract === null) continue
        const topics = readScVals(record.topics).map(plain)
        const data = plain(readScVal(record.data))
        const tokens = pairs.get(record.contract)
        if (pools.has(record.contract) && topics[0] === 'trade') trades.push({ ...at, ...aquariusTrade(record.contract, topics, data) })
        if (tokens !== undefined && topics[1] === 'swap') trades.push({ ...at, ...soroswapTrade(record.contract, tokens, data) })
        if (topics[0] === 'SoroswapFactory' && topics[1] === 'fees') {
          switches.push({ ledger: at.ledger, isOn: (data as { readonly fees_enabled: boolean }).fees_enabled })
        }
      }
    }
  }
  return { trades, switches }
}

type TradeParts = Omit<RecordedTrade, 'ledger' | 'closeTime'>

/** Topics: trade, token in, token out, user; data: in, out, fee. */
function aquariusTrade(pool: string, topics: readonly Plain[], data: Plain): TradeParts {
  const [amount = 0n, , fee = 0n] = data as bigint[]
  return { pool, amountsIn: [{ token: String(topics[1]), amount }], tokenOut: String(topics[2]), fee }
}

function soroswapTrade(pool: string, tokens: readonly string[], data: Plain): TradeParts {
  const amounts = data as Readonly<Record<string, bigint>>
  const amountsIn = tokens.map((token, n) => ({ token, amount: amounts[`amount_${n}_in`] ?? 0n }))
  return { pool, amountsIn, tokenOut: null, fee: null }
}

type Plain = string | bigint | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

function plain(value: ScVal): Plain {
  switch (value.type) {
    case 'vec':
      return (value.value ?? []).map(plain)
    case 'map':
      return Object.fromEntries((value.value ?? []).map(({ key, val }) => [String(plain(key)), plain(val)]))
    case 'bool':
    case 'u32':
    case 'i32':
    case 'string':
    case 'symbol':
    case 'address':
    case 'u64':
    case 'i64':
    case 'u128':
    case 'i128':
    case 'u256':
    case 'i256':
      return value.value
    default:
      return null
  }
}
