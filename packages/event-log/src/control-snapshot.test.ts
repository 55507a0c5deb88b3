import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_PROTOCOLS } from '@orrery/testkit/test-protocols'
import { afterAll } from 'vitest'
import { controlSnapshotContract } from './control-snapshot-contract.ts'
import { openLog } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-snapshots-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

controlSnapshotContract('LMDB', () => openLog(`lmdb:${folder}`), TEST_PROTOCOLS[0] as string)
