import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { lakeOf as oneFileLake } from '../test/lake-of.ts'
import { mostBytesOf } from './lake-limits.ts'
import { lakeSource } from './lake-source.ts'

const MIB = 1024 ** 2
const aFolder = temporaryFolders()
const lakeOf = (ledgersPerBatch: number, packed: Uint8Array): string => oneFileLake(aFolder(), ledgersPerBatch, packed)

describe('the bound of a lake file', () => {
  it.each([
    [1, 32],
    [8, 32],
    [64, 256],
    [128, 512],
    [2_147_483_647, 512],
  ])('the bound of a file of %d ledgers is %d MiB', (ledgersPerBatch, mebibytes) => {
    expect(mostBytesOf({ ledgersPerBatch })).toBe(mebibytes * MIB)
  })
})

describe('a lake file beyond its bound', () => {
  it('a small packed file that is too large unpacked is refused and named', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(33 * MIB))
    expect(bomb.length).toBeLessThan(10_000)
    const error = await lakeSource(lakeOf(1, bomb))
      .range()
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      kind: 'corrupt',
      code: 'lake_file_too_large',
      message: expect.stringMatching(/FFFFFFBF--64\.xdr\.zst has more than 32 MiB unpacked.*not read.*fetch the file again/),
    })
  })

  it('a file of a folder that is too large is refused and named', async () => {
    const lake = lakeSource(lakeOf(1, Buffer.alloc(33 * MIB)))
    await expect(lake.range()).rejects.toMatchObject({ code: 'lake_file_too_large', message: expect.stringContaining('32 MiB packed') })
    const folder = aFolder()
    writeFileSync(join(folder, '.config.json'), Buffer.alloc(65 * 1024, ' '))
    await expect(lakeSource(folder).passphrase()).rejects.toMatchObject({
      code: 'lake_file_too_large',
      message: expect.stringMatching(/\.config\.json has more than 64 KiB packed/),
    })
  })
})
