// The programs of the guides, run against the demo: each prints what its page shows. `npm run examples` writes the pages anew.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isShippedRecording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Whereabouts } from './global-setup.ts'
import { fetchText } from './truth/whole-network.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = join(ROOT, 'docs/guides')
/** A program and what it prints, which follows it. */
const SHOWN = /(```js\n)([\s\S]+?)(```\n\n```text\n)([\s\S]*?)(```)/g

const guides = readdirSync(FOLDER).filter((name) => name !== 'index.md')

describe.runIf(isShippedRecording)('the programs of the guides, by the shipped recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-guides-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { url, apiKey, clickhouseUrl }: Whereabouts = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
    env = { ORRERY_URL: url, ORRERY_KEY: apiKey, CLICKHOUSE_URL: clickhouseUrl }
    // What a reader installs.
    for (const name of ['@orrery/client', '@stellar/stellar-sdk']) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules', name), link)
    }
  }, 900_000)

  it.each(guides)('the program of %s prints what the page shows', async (name) => {
    const page = readFileSync(join(FOLDER, name), 'utf8')
    const programs = [...page.matchAll(SHOWN)]
    expect(programs).toHaveLength(1)
    const file = join(folder, name.replace('.md', '.mjs'))
    writeFileSync(file, programs[0]?.[2] ?? '')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT, env })
    expect(stderr).toBe('')
    const shown = page.replace(SHOWN, (_, start, program, between, _printed, end) => `${start}${program}${between}${stdout}${end}`)
    await expect(shown).toMatchFileSnapshot(join(FOLDER, name))
  })
})
