// The ledgers that reading is measured on, what is tracked in them, and how fast something reads them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isContractId, readBatch, TrackedSet } from '@orrery/ledger'
import { readBatchFile, readUnzipped, recording, sharedDir, testContract } from '@orrery/testkit'

export const SECONDS = Number(process.argv[2] ?? 3)
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

export interface Material {
  readonly name: string
  readonly passphrase: string
  readonly registryFile: string
  readonly ledgers: readonly Uint8Array[]
}

export async function material(): Promise<Material> {
  const shared = sharedDir()
  if (shared === null) {
    const { batchFiles, registryFile } = recording()
    const ledgers = (await Promise.all(batchFiles().slice(40, 44).map(readBatchFile))).flat()
    return { name: 'the shipped recording, 256 ledgers', passphrase: passphraseOf(registryFile), registryFile, ledgers }
  }
  const file = (name: string): Promise<Uint8Array> => readUnzipped(join(shared, 'ledgers', 'mainnet', name))
  const batch = readBatch(await file('FCD285FF--53312000.xdr.zstd')).ledgers
  const single = await Promise.all(['51000294', '63092990', '63092996'].map((sequence) => file(`ledger-${sequence}.xdr.gz`)))
  const registryFile = fileURLToPath(new URL('../../packages/registry/networks/mainnet.json', import.meta.url))
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
export function trackedOf({ passphrase, registryFile }: Material): TrackedSet {
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
export function throughput(ledgers: readonly Uint8Array[], read: (ledger: Uint8Array) => unknown): Rate {
  const megabytes = ledgers.reduce((sum, { length }) => sum + length, 0) / 1e6
  const rate = rounds(() => {
    for (const ledger of ledgers) read(ledger)
  })
  return { best: megabytes * rate.best, perCpu: megabytes * rate.perCpu }
}

export interface Rate {
  /** The best round, as on an idle machine. */
  readonly best: number
  /** Per second of processor time of all threads, garbage collection included. */
  readonly perCpu: number
}

/** Rounds per second. A second of warming up comes first. */
export function rounds(round: () => void): Rate {
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
