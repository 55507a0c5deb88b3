// Schemathesis against a running API: requests made from /openapi.json, valid and not, alone and in sequences, and every answer compared with it.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testCacheFolder } from '@orrery/testkit'
import type { Ready } from '../orrery.ts'
import { orrery } from '../orrery.ts'

const run = promisify(execFile)
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const VERSION = /^schemathesis==(.+)$/m.exec(readFileSync(here('requirements.txt'), 'utf8'))?.[1]
/** Built-in checks that checks.py replaces. */
const REPLACED = ['positive_data_acceptance', 'ignored_auth']
const REQUESTS_PER_MINUTE = '1000000'
/** The organization of the key: no request can revoke it with the token, which is of another one. */
const KEY_ORGANIZATION = 'fuzz'

/** The installed packages; pip downloads them into the cache of the tests once. */
async function packages(): Promise<string> {
  const folder = join(testCacheFolder, `schemathesis-${VERSION}`)
  if (existsSync(folder)) return folder
  mkdirSync(testCacheFolder, { recursive: true })
  const made = mkdtempSync(join(testCacheFolder, 'schemathesis-made-'))
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--disable-pip-version-check',
    '--target',
    made,
    '-r',
    here('requirements.txt'),
  ]
  await run('python3', pip)
  // In one step, so that an interrupted installation does not look finished.
  renameSync(made, folder)
  return folder
}

/** Its answer does not end, so every request to it would count as one that timed out. `apps/api/src/stream` has its refusals. */
const STREAM = '/v1/stream'

export interface FuzzRun {
  /** Requests that were made from the document. */
  readonly cases: number
  /** What Schemathesis prints about failures and errors, each with a command that repeats it; empty when there are none. */
  readonly failures: string
}

/**
 * @param examples The most requests of an operation in each phase of generated ones.
 * @param data The data folder of `ready`, whose limits are lifted.
 */
export async function runSchemathesis(ready: Ready, data: string, examples: number, seed: number): Promise<FuzzRun> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-fuzz-'))
  try {
    const config = join(folder, 'schemathesis.toml')
    writeFileSync(config, await configuration(ready, data))
    const args = [
      '--config-file',
      config,
      'run',
      `${ready.url}/openapi.json`,
      '--checks',
      'all',
      '--exclude-checks',
      REPLACED.join(','),
      '--exclude-path',
      STREAM,
    ]
    const amount = ['--max-examples', String(examples), '--seed', String(seed), '--continue-on-failure', '--no-shrink', '--warnings', 'off']
    const phases = ['--phases', 'examples,coverage,fuzzing,stateful']
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', PYTHONPATH: await packages(), HOME: folder, PYTHONDONTWRITEBYTECODE: '1' }
    // It ends with 1 where it found something, which its output then has.
    const { stdout } = await run('python3', ['-m', 'schemathesis.cli', ...args, ...amount, ...phases], {
      cwd: folder,
      env,
      maxBuffer: 1e9,
    }).catch((error: { readonly stdout: string; readonly stderr: string }) => {
      if (!error.stdout.includes('Test cases:')) throw error
      return error
    })
    const cases = Number(/^ {2}(\d[\d,]*) generated/m.exec(stdout)?.[1]?.replaceAll(',', '') ?? 0)
    const failures = /^=+ (?:FAILURES|ERRORS) =+$[\s\S]+?(?=^=+ SUMMARY =+$)/m.exec(stdout)?.[0] ?? ''
    return { cases, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** With a key, a token and the operator's token, so that requests get beyond the check of credentials. */
async function configuration(ready: Ready, data: string): Promise<string> {
  const body = { organization_slug: KEY_ORGANIZATION, organization_name: 'Fuzz', key_name: 'fuzz', scopes: ['data:read'], expires_at: null }
  const { key } = await post(`${ready.url}/v1/org/api-keys`, body, { 'x-service-admin-token': ready.adminToken })
  const login = { email: ready.userEmail, password: readFileSync(ready.userPasswordFile, 'utf8').trim() }
  const { access_token } = await post(`${ready.url}/v1/auth/login`, login)
  for (const organization of [KEY_ORGANIZATION, ready.organization]) {
    const limited = await orrery(['org', 'limit', '--org', organization, '--requests-per-minute', REQUESTS_PER_MINUTE, '--data', data])
    if (limited.code !== 0) throw new Error(limited.stderr)
  }
  return `hooks = ${JSON.stringify(here('checks.py'))}
[auth.openapi.apiKey]
api_key = "${key}"
[auth.openapi.bearer]
bearer = "${access_token}"
[auth.openapi.adminToken]
api_key = "${ready.adminToken}"
`
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}
