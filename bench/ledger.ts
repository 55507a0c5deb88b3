// The speed of reading ledgers: Orrery's extract against the SDK's decode and against the ingest readers of go-stellar-sdk, on the same bytes.
// `node bench/ledger.ts [seconds per measurement]`. Mainnet ledgers if they are in the folder beside the repository, else the shipped recording.
// The Go program is built when there is a Go toolchain; it fetches its modules by its go.sum.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extractLedger, readScVal, readScVals, TrackedSet, writeScVal } from '@orrery/ledger'
import { scValToNative, xdr } from '@stellar/stellar-sdk'
import { type Material, material, type Rate, rounds, SECONDS, throughput, trackedOf } from './src/ledger-material.ts'
import { readsOfLedgers, repeatReads } from './src/ledger-reads.ts'

/** XDR of all topics, data, arguments, keys and values that an extract of everything holds, one by one. */
function valuesOf({ ledgers, passphrase }: Material): Uint8Array[] {
  const everything = TrackedSet.everything(passphrase)
  const each = (list: Uint8Array): Uint8Array[] => readScVals(list).map(writeScVal)
  return ledgers
    .flatMap((ledger) => extractLedger(ledger, everything).records)
    .flatMap((record) => {
      if (record.kind === 'event') return [...each(record.topics), record.data]
      if (record.kind === 'call') return each(record.args)
      return record.kind === 'entry' ? [record.key, ...(record.value === null ? [] : [record.value])] : []
    })
}

interface GoFigures {
  readonly decode: Rate
  readonly transactions: Rate
  readonly changes: Rate
}

function goFigures({ ledgers, passphrase }: Material): GoFigures | null {
  const dir = mkdtempSync(join(tmpdir(), 'orrery-bench-'))
  try {
    const program = join(dir, 'ledger-go')
    execFileSync('go', ['build', '-o', program, '.'], {
      cwd: fileURLToPath(new URL('ledger-go', import.meta.url)),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const parts = ledgers.flatMap((ledger) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(ledger.length)
      return [length, ledger]
    })
    const file = join(dir, 'ledgers')
    writeFileSync(file, Buffer.concat(parts))
    return JSON.parse(execFileSync(program, [file, passphrase, String(SECONDS)], { encoding: 'utf8' }))
  } catch (error) {
    // The Go program cannot be built on every machine; the other comparisons do not need it.
    printLine(`The Go readers are left out: ${(error as Error).message.split('\n')[0]}`)
    return null
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** @param ours What to compare with: how many times faster it is, by the best round and by processor time. */
function row(name: string, rate: Rate, unit: string, ours?: Rate, goal?: string): void {
  const figure = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(9)
  const times =
    ours === undefined
      ? ''
      : `  ours ${(ours.best / rate.best).toFixed(0)}x, ${(ours.perCpu / rate.perCpu).toFixed(0)}x${goal === undefined ? '' : ` (${goal})`}`
  printLine(`${name.padEnd(54)}${figure(rate.best)}${figure(rate.perCpu)} ${unit}${times}`)
}

const found = await material()
const tracked = trackedOf(found)
const records = found.ledgers.reduce((sum, ledger) => sum + extractLedger(ledger, tracked).records.length, 0)
printLine(`${found.name}; ${tracked.size} contracts and balances tracked, ${records} records`)
printLine(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${SECONDS} s each`)
printLine(`${''.padEnd(54)}     best  per CPU`)

const sdk = throughput(found.ledgers, (ledger) => xdr.LedgerCloseMeta.fromXdr(ledger))
const ours = throughput(found.ledgers, (ledger) => extractLedger(ledger, tracked))
const all = TrackedSet.everything(found.passphrase)
const whole = throughput(found.ledgers, (ledger) => extractLedger(ledger, all))
row('extractLedger, what is tracked', ours, 'MB/s')
const reads = await readsOfLedgers()
const readsOfLedger = new Map(found.ledgers.map((ledger, n) => [ledger, reads[n] ?? new Int32Array()]))
const alone = throughput(found.ledgers, (ledger) => repeatReads(ledger, readsOfLedger.get(ledger) ?? new Int32Array()))
row('extractLedger, everything', whole, 'MB/s')
row('SDK 17.2 LedgerCloseMeta.fromXdr', sdk, 'MB/s', ours, 'goal 200x')
row('the reads of extractLedger alone, in their order', alone, 'MB/s')
const perMegabyte = reads.reduce((sum, { length }) => sum + length, 0) / found.ledgers.reduce((sum, { length }) => sum + length / 1e6, 0)
const bound = (of: (rate: Rate) => number): string => (of(alone) / of(sdk)).toFixed(0)
printLine(
  `${perMegabyte.toFixed(0)} reads a megabyte; alone they would be ${bound(({ best }) => best)} times as fast as the SDK, by processor time ${bound(({ perCpu }) => perCpu)} times`,
)
const go = goFigures(found)
if (go !== null) {
  row('go-stellar-sdk 0.7.3, decode', go.decode, 'MB/s', ours)
  row('go-stellar-sdk 0.7.3, decode and transaction reader', go.transactions, 'MB/s', ours, 'goal 20x')
  row('go-stellar-sdk 0.7.3, decode and change reader', go.changes, 'MB/s', ours, 'goal 20x')
}

const values = valuesOf(found)
const scale = ({ best, perCpu }: Rate): Rate => ({ best: (best * values.length) / 1e6, perCpu: (perCpu * values.length) / 1e6 })
const sdkValues = rounds(() => {
  for (const bytes of values) scValToNative(xdr.ScVal.fromXdr(bytes))
})
const ourValues = rounds(() => {
  for (const bytes of values) readScVal(bytes)
})
row('readScVal', scale(ourValues), 'M/s')
row('SDK 17.2 ScVal.fromXdr and scValToNative', scale(sdkValues), 'M/s', scale(ourValues), 'goal 8x')
