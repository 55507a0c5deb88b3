import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { readLedgerHeader, XdrWriter } from '@orrery/ledger'
import { readBatchFile, recording } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { freeMemory, unpackInThread } from './unpacking-threads.ts'

const MIB = 1024 ** 2
const aFolder = temporaryFolders()

const unpack = (packed: string | Uint8Array, mostBytes = 256 * MIB, checksSingle = true) =>
  unpackInThread({ packed, mostBytes, checksSingle })
/** By its path, and as its bytes. */
const bothWays = (file: string, mostBytes?: number) => Promise.all([unpack(file, mostBytes), unpack(readFileSync(file), mostBytes)])

it('files that many threads unpack at the same time have the ledgers that each file holds', async () => {
  const files = recording().batchFiles().slice(0, 12)
  const expected = await Promise.all(files.map(readBatchFile))
  const found = await Promise.all(files.map((file) => bothWays(file)))
  for (const [n, ledgers] of expected.entries()) {
    for (const batch of found[n] ?? []) {
      expect(batch).toMatchObject({ unread: null })
      if ('kind' in batch) throw new Error(batch.kind)
      expect(batch.ledgers.length).toBe(ledgers.length)
      expect(batch.end - batch.start + 1).toBe(ledgers.length)
      for (const [at, bytes] of ledgers.entries()) expect(Buffer.compare(batch.ledgers[at] ?? new Uint8Array(), bytes)).toBe(0)
    }
  }
})

it('memory that is freed leaves no ledger of its file, and those of other files stay', async () => {
  const [first = '', second = ''] = recording().batchFiles()
  const [one, other] = [await unpack(first), await unpack(second)]
  if ('kind' in one || 'kind' in other) throw new Error('A recorded file has ledgers.')
  freeMemory(one.ledgers.at(-1) ?? new Uint8Array())
  expect(one.ledgers.map(({ length }) => length)).toEqual(one.ledgers.map(() => 0))
  expect(other.ledgers.map((ledger) => Buffer.from(ledger))).toEqual((await readBatchFile(second)).map((ledger) => Buffer.from(ledger)))
})

it('a file that gives no ledgers says why', async () => {
  const folder = aFolder()
  const written = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  expect(await unpack(join(folder, 'absent'), MIB)).toEqual({ kind: 'absent' })
  expect(await unpack(folder, MIB)).toMatchObject({ kind: 'unreadable', reason: expect.stringMatching(/EISDIR/) })
  expect(await unpack(written('long', Buffer.alloc(MIB + 1)), MIB)).toEqual({ kind: 'too_large', how: 'packed' })
  const unpacksTooFar = { kind: 'too_large', how: 'unpacked' }
  expect(await bothWays(written('bomb', zstdCompressSync(Buffer.alloc(MIB + 1))), MIB)).toEqual([unpacksTooFar, unpacksTooFar])
  for (const broken of [Buffer.from('no zstd'), zstdCompressSync(Buffer.from('no batch'))]) {
    const file = written('broken', broken)
    await expect(unpack(file, MIB)).rejects.toThrow()
    await expect(unpack(broken, MIB)).rejects.toThrow()
  }
})

it('a ledger that is alone in its file is the rest of it, whether it is checked or not', async () => {
  const [first = ''] = recording().batchFiles()
  const [ledger = new Uint8Array()] = await readBatchFile(first)
  const { sequence } = readLedgerHeader(ledger)
  const batch = (bytes: Uint8Array) => zstdCompressSync(new XdrWriter().u32(sequence).u32(sequence).u32(1).raw(bytes).done())
  for (const checksSingle of [true, false]) {
    const found = await unpack(batch(ledger), MIB, checksSingle)
    expect(found).toMatchObject({ start: sequence, end: sequence, unread: null })
    expect('kind' in found ? [] : found.ledgers.map((bytes) => Buffer.from(bytes))).toEqual([Buffer.from(ledger)])
  }
  const cut = ledger.subarray(0, -4)
  await expect(unpack(batch(cut), MIB, true)).rejects.toThrow(/the bytes end in the middle/)
  expect(await unpack(batch(cut), MIB, false)).toMatchObject({ start: sequence })
})
