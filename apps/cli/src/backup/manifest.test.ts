import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { checkedManifest, MANIFEST, writeManifest } from './manifest.ts'

const root = mkdtempSync(join(tmpdir(), 'orrery-manifest-'))
afterAll(() => rmSync(root, { recursive: true }))

const ABOUT = { orrery: '0.1.0', createdAt: '2026-01-01T00:00:00.000Z', network: 'demo', ledger: 7 }
/** `printf abc | sha256sum` */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
let folder: string

describe('the manifest of a backup', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(root, 'backup-'))
    mkdirSync(join(folder, 'log'))
    writeFileSync(join(folder, 'log', 'data.mdb'), 'abc')
    writeFileSync(join(folder, 'registry.json'), '{}')
    await writeManifest(folder, ABOUT)
  })

  it('names every file with its size and SHA-256, and is accepted while they are as they were', async () => {
    expect(await checkedManifest(folder)).toMatchObject({
      ...ABOUT,
      files: [{ path: 'log/data.mdb', bytes: 3, sha256: ABC }, { path: 'registry.json' }],
    })
  })

  it('is refused when a file has other bytes, another size, or is missing; all of them are named', async () => {
    writeFileSync(join(folder, 'log', 'data.mdb'), 'abd')
    rmSync(join(folder, 'registry.json'))
    await expect(checkedManifest(folder)).rejects.toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining('  log/data.mdb has other bytes\n  registry.json is missing\n'),
    })
    writeFileSync(join(folder, 'log', 'data.mdb'), 'abcd')
    await expect(checkedManifest(folder)).rejects.toMatchObject({ message: expect.stringContaining('log/data.mdb has another size') })
  })

  it('is refused when it is absent, because a backup that did not end has none, and when it was cut', async () => {
    rmSync(join(folder, MANIFEST))
    await expect(checkedManifest(folder)).rejects.toMatchObject({ code: 'backup_absent' })
    writeFileSync(join(folder, MANIFEST), '{"format": 1, "orr')
    await expect(checkedManifest(folder)).rejects.toMatchObject({ code: 'backup_damaged' })
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ format: 1, ...ABOUT }))
    await expect(checkedManifest(folder)).rejects.toMatchObject({ code: 'backup_damaged' })
  })

  it('of a later format is refused with the version that wrote it, whatever else is in it', async () => {
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ format: 2, orrery: '9.1.0', parts: [] }))
    await expect(checkedManifest(folder)).rejects.toMatchObject({
      code: 'backup_newer_than_code',
      message: expect.stringContaining('by Orrery 9.1.0 in format 2, and this build reads format 1'),
    })
  })

  it('is not written after the backup was stopped', async () => {
    rmSync(join(folder, MANIFEST))
    const reason = new Error('stopped')
    await expect(writeManifest(folder, ABOUT, AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(checkedManifest(folder)).rejects.toMatchObject({ code: 'backup_absent' })
  })

  it('is refused when one of its paths leads out of the folder', async () => {
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ format: 1, ...ABOUT, files: [{ path: 'log/../../x', bytes: 0, sha256: ABC }] }))
    await expect(checkedManifest(folder)).rejects.toMatchObject({ code: 'backup_damaged' })
  })
})
