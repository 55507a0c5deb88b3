import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { copyContract } from './copy-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-copy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sqlite = async (): Promise<string> => `sqlite:${join(folder, `${randomUUID()}.sqlite`)}`
copyContract('SQLite to SQLite', sqlite, sqlite)
