import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { readLedgerHeader, XdrWriter } from '@orrery/ledger'
import { ledgerBuilder, recording, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { ledgersOf } from '../test/ledgers.ts'
import { batchPaths } from './lake-layout.ts'
import { lakeSource } from './lake-source.ts'

const aFolder = temporaryFolders()
const never = new AbortController().signal
/** The only partition of the recording. */
const partition = 'FFF159FF--960000-1023999'

describe('the recorded lake', () => {
  const lake = lakeSource(recording().lakeDir)

  it('the recorded lake reports its network, its range and that it ends', async () => {
    expect(await lake.passphrase()).toBe('Orrery Forge Network ; September 2026')
    expect(await lake.range()).toEqual({ first: 1_000_000, last: 1_006_527, lastCloseTimeSeconds: 1_792_096_542 }) // README of the recording
    expect(lake.ends).toBe(true)
  })

  it('a lake returns every ledger from the requested one to the last, in order', async () => {
    const sequences: number[] = []
    for await (const { sequence, bytes } of lake.read(1_006_400, never)) {
      sequences.push(sequence)
      expect(readLedgerHeader(bytes).sequence).toBe(sequence)
    }
    expect(sequences).toEqual(Array.from({ length: 128 }, (_, n) => 1_006_400 + n))
  })

  it('reading can begin in the middle of a file', async () => {
    for await (const { sequence } of lake.read(1_000_100, never)) {
      expect(sequence).toBe(1_000_100)
      break
    }
  })

  it('a lake returns nothing after its end', async () => {
    for await (const { sequence } of lake.read(1_006_528, never)) expect.unreachable(`${sequence}`)
  })

  it('an aborted read ends without an error', async () => {
    const stop = new AbortController()
    const seen: number[] = []
    for await (const { sequence } of lake.read(1_000_000, stop.signal)) {
      seen.push(sequence)
      if (sequence === 1_000_070) stop.abort()
    }
    expect(seen.at(-1)).toBe(1_000_070)
  })
})

describe('lakes of other shapes', () => {
  it('a lake whose files have the older extension is read', async () => {
    const folder = lakeWith(aFolder(), [0, 1])
    for (const name of readdirSync(join(folder, partition))) renameSync(join(folder, partition, name), join(folder, partition, `${name}d`))
    expect(await ledgersOf(lakeSource(folder))).toHaveLength(128)
  })

  it('a lake without partition folders is read', async () => {
    const folder = lakeWith(aFolder(), [0])
    const [name] = readdirSync(join(folder, partition))
    renameSync(join(folder, partition, `${name}`), join(folder, `${name}`))
    const manifest = JSON.parse(readFileSync(join(folder, '.config.json'), 'utf8'))
    writeFileSync(join(folder, '.config.json'), JSON.stringify({ ...manifest, batchesPerPartition: 1 }))
    expect(await ledgersOf(lakeSource(folder))).toHaveLength(64)
  })

  it('a lake with other numbers of ledgers a file and files a folder is read up to a missing file', async () => {
    const manifest = {
      networkPassphrase: 'Orrery Forge Network ; September 2026',
      compression: 'zstd',
      ledgersPerBatch: 7,
      batchesPerPartition: 3,
    }
    const folder = aFolder()
    writeFileSync(join(folder, '.config.json'), JSON.stringify(manifest))
    const files: string[] = []
    const ledgers = (await ledgersOf(lakeSource(lakeWith(aFolder(), [0])))).filter(({ sequence }) => sequence <= 1_000_047)
    for (let first = 999_999; first <= 1_000_047; first += 7) {
      const batch = ledgers.filter(({ sequence }) => sequence >= first && sequence < first + 7)
      const [path = ''] = batchPaths(first, { ...manifest, compression: 'zstd' })
      const writer = new XdrWriter().u32(batch[0]?.sequence ?? 0).u32(first + 6)
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), zstdCompressSync(writer.array(batch, ({ bytes }) => writer.raw(bytes)).done()))
      files.push(join(folder, path))
    }
    // 999,999 = 47,619 * 21, so the folders begin there, at 1,000,020 and at 1,000,041; there is no ledger before 1,000,000.
    expect(readdirSync(folder).sort()).toEqual([
      '.config.json',
      'FFF0BD96--1000041-1000061',
      'FFF0BDAB--1000020-1000040',
      'FFF0BDC0--999999-1000019',
    ])
    const lake = lakeSource(folder)
    expect(await lake.range()).toMatchObject({ first: 1_000_000, last: 1_000_047 })
    expect((await ledgersOf(lake)).map(({ sequence }) => sequence)).toEqual(ledgers.map(({ sequence }) => sequence))
    for (const lost of files.slice(2, 4)) rmSync(lost) // the last of one folder and the first of the next
    await expect(ledgersOf(lakeSource(folder))).rejects.toMatchObject({
      code: 'ledgers_missing',
      context: { first: 1_000_013, last: 1_000_026 },
    })
  })

  it('a lake that ends with a short file is read to its end', async () => {
    const { ledger, passphrase } = ledgerBuilder({ firstLedger: 100 })
    const ledgers = Array.from({ length: 5 }, () => ledger())
    const writer = new XdrWriter().u32(100).u32(104)
    const folder = aFolder()
    const manifest = { networkPassphrase: passphrase, compression: 'zstd', ledgersPerBatch: 64, batchesPerPartition: 1 }
    writeFileSync(join(folder, '.config.json'), JSON.stringify(manifest))
    const bytes = writer.array(ledgers, (one) => writer.raw(one)).done()
    writeFileSync(join(folder, 'FFFFFFBF--64-127.xdr.zst'), zstdCompressSync(bytes))
    expect((await ledgersOf(lakeSource(folder))).map(({ sequence }) => sequence)).toEqual([100, 101, 102, 103, 104])
  })

  const shared = sharedDir()
  it.skipIf(shared === null)(
    'a lake with one ledger a file, as the public lake of mainnet, is read (with the folder of shared ledgers)',
    async () => {
      const folder = aFolder()
      writeFileSync(
        join(folder, '.config.json'),
        JSON.stringify({
          networkPassphrase: 'Public Global Stellar Network ; September 2015',
          compression: 'zstd',
          ledgersPerBatch: 1,
          batchesPerPartition: 1,
          version: '1.0',
        }),
      )
      writeFileSync(
        join(folder, 'FCD285FF--53312000.xdr.zstd'),
        readFileSync(join(shared ?? '', 'ledgers/mainnet/FCD285FF--53312000.xdr.zstd')),
      )
      const lake = lakeSource(folder)
      expect(await lake.range()).toMatchObject({ first: 53_312_000, last: 53_312_000 })
      expect((await ledgersOf(lake)).map(({ sequence }) => sequence)).toEqual([53_312_000])
    },
  )
})

describe('an incomplete lake', () => {
  it('a file in place of the folder is refused', async () => {
    const file = join(aFolder(), 'ledgers.xdr.zst')
    writeFileSync(file, '')
    await expect(lakeSource(file).passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'lake_manifest_broken' })
  })

  it('a file that is missing between others ends reading with an error that names its ledgers, after all ledgers before it', async () => {
    const lake = lakeSource(lakeWith(aFolder(), [0, 3, 4]))
    const seen: number[] = []
    const reading = async (): Promise<void> => {
      for await (const { sequence } of lake.read(1_000_000, never)) seen.push(sequence)
    }
    await expect(reading()).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'ledgers_missing',
      context: { first: 1_000_064, last: 1_000_191 },
    })
    expect(seen.at(-1)).toBe(1_000_063)
  })

  it('a truncated file ends reading with an error that names it', async () => {
    const folder = lakeWith(aFolder(), [0, 1])
    const [newest] = readdirSync(join(folder, partition)).sort()
    const path = join(folder, partition, `${newest}`)
    writeFileSync(path, readFileSync(path).subarray(0, 5_000))
    await expect(ledgersOf(lakeSource(folder))).rejects.toMatchObject({ kind: 'corrupt', code: 'lake_file_broken', context: { path } })
  })

  it('a file with other ledgers than its name states ends reading with an error that names it', async () => {
    const folder = lakeWith(aFolder(), [0, 1])
    const [newest, oldest] = readdirSync(join(folder, partition)).sort()
    renameSync(join(folder, partition, `${oldest}`), join(folder, partition, `${newest}`))
    await expect(ledgersOf(lakeSource(folder))).rejects.toMatchObject({ kind: 'corrupt', code: 'lake_file_broken' })
  })

  it('a lake without ledgers is refused', async () => {
    await expect(lakeSource(lakeWith(aFolder(), [])).range()).rejects.toMatchObject({ kind: 'invalid', code: 'lake_empty' })
  })

  it('a folder without a manifest is refused', async () => {
    const folder = lakeWith(aFolder(), [0])
    rmSync(join(folder, '.config.json'))
    await expect(lakeSource(folder).passphrase()).rejects.toMatchObject({ kind: 'invalid', code: 'lake_manifest_broken' })
  })
})
