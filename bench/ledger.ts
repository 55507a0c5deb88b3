// The speed of reading ledgers: Orrery's extract against the SDK's decode and against the ingest readers of go-stellar-sdk, on the same bytes.
// `node bench/ledger.ts [seconds per measurement]`. Mainnet ledgers if they are in the folder beside the repository, else the shipped recording.
// The Go program is built when there is a Go toolchain; it fetches its modules by its go.sum.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extractLedger, isContractId, readBatch, readScVal, readScVals, TrackedSet, writeScVal } from '@orrery/ledger'
import { readBatchFile, readUnzipped, recording, sharedDir, testContract } from '@orrery/testkit'
import { scValToNative, xdr } from '@stellar/stellar-sdk'

const SECONDS = Number(process.argv[2] ?? 3)
/** Approximate number of pools of four protocols on mainnet. */
const POOLS = 500
/** The Blend pool, Soroswap pair and Aquarius pools that are busy in the mainnet ledgers, and the assets they hold. */
const BUSY = [
  'CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD',
  'CAM7DY53G63XA4AJRS24Z6VFYAFSSF76C3RZ45BE5YU3FQS5255OOABP',
  'CAQODUH4XNX2NTFVACRMO4UR7MA5RLSZA5ZQTHILQYGYYCFQ3LUATIGM',
  'CD2O2B6PWKXDVFXMHXHQMF25C4TWOSQAENA7DNFR5G27F5CHJ7AJP5F6',
  'CBIJBDNZNF4X35BJ4FFZWCDBSCKOP5NB4PLG4SNENRMLAPYG4P5FM6VN',
]
const USDC = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'
const XLM = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'

interface Material {
  readonly name: string
  readonly passphrase: string
  readonly registryFile: string
  readonly ledgers: readonly Uint8Array[]
}

async function material(): Promise<Material> {
  const shared = sharedDir()
  if (shared === null) {
    const { batchFiles, registryFile } = recording()
    const ledgers = (await Promise.all(batchFiles().slice(40, 44).map(readBatchFile))).flat()
    return { name: 'the shipped recording, 256 ledgers', passphrase: passphraseOf(registryFile), registryFile, ledgers }
  }
  const file = (name: string): Promise<Uint8Array> => readUnzipped(join(shared, 'ledgers', 'mainnet', name))
  const batch = readBatch(await file('FCD285FF--53312000.xdr.zstd')).ledgers
  const single = await Promise.all(['51000294', '63092990', '63092996'].map((sequence) => file(`ledger-${sequence}.xdr.gz`)))
  const registryFile = fileURLToPath(new URL('../packages/registry/networks/mainnet.json', import.meta.url))
  return {
    name: 'mainnet, 4 ledgers (P20, P21, P26, P26)',
    passphrase: passphraseOf(registryFile),
    registryFile,
    ledgers: [...batch, ...single],
  }
}

function passphraseOf(registryFile: string): string {
  return JSON.parse(readFileSync(registryFile, 'utf8')).passphrase
}

/** Every contract that the registry names, the busy pools, pools up to a mainnet's number, and two balances of each pool. */
function trackedOf({ passphrase, registryFile }: Material): TrackedSet {
  const tracked = new TrackedSet(passphrase)
  const registry = JSON.parse(readFileSync(registryFile, 'utf8'))
  // The registry also names assets, which are not tracked: only pools' balances of them are.
  const { protocols, oracles, price_pools: pricePools } = registry
  const roots = JSON.stringify([protocols, oracles, pricePools]).match(/C[A-Z2-7]{55}/g) ?? []
  const assets = new Set([USDC, XLM, ...Object.keys(registry.assets ?? {})])
  for (const id of roots) if (isContractId(id) && !assets.has(id)) tracked.addContract(id)
  const pools = [...BUSY, ...Array.from({ length: POOLS }, (_, n) => testContract(`pool ${n}`))]
  for (const pool of pools) {
    tracked.addContract(pool)
    tracked.addBalance(USDC, pool)
    tracked.addBalance(XLM, pool)
  }
  return tracked
}

/** MB of XDR per second: of the best round, and per second of processor time over all rounds. */
function throughput(ledgers: readonly Uint8Array[], read: (ledger: Uint8Array) => unknown): Rate {
  const megabytes = ledgers.reduce((sum, { length }) => sum + length, 0) / 1e6
  const rate = rounds(() => {
    for (const ledger of ledgers) read(ledger)
  })
  return { best: megabytes * rate.best, perCpu: megabytes * rate.perCpu }
}

interface Rate {
  /** The best round, as on an idle machine. */
  readonly best: number
  /** Per second of processor time of all threads, garbage collection included. */
  readonly perCpu: number
}

/** Rounds per second. A second of warming up comes first. */
function rounds(round: () => void): Rate {
  const run = (seconds: number): Rate => {
    let best = 0
    let count = 0
    const cpu = process.cpuUsage()
    const started = performance.now()
    while (performance.now() - started < seconds * 1000) {
      const before = performance.now()
      round()
      best = Math.max(best, 1000 / (performance.now() - before))
      count++
    }
    const { user, system } = process.cpuUsage(cpu)
    return { best, perCpu: (count * 1e6) / (user + system) }
  }
  run(Math.min(1, SECONDS))
  return run(SECONDS)
}

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
row('extractLedger, everything', whole, 'MB/s')
row('SDK 17.2 LedgerCloseMeta.fromXdr', sdk, 'MB/s', ours, 'goal 200x')
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
