// Source and pages use the words of docs/glossary.md. The words below once stood for them in this repository, and a reader from outside had to learn each.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = import.meta.dirname

/** Words that are refused, in prose and as a part of a name, and what to write. */
const REFUSED: Readonly<Record<string, string>> = {
  told: 'appended, sent, reported, recorded or inferred: name what happened',
  untold: 'unexplained, or not appended',
  retold: 'resent',
  teller: 'builder or writer',
  hole: 'gap',
  holes: 'gaps',
  nobody: 'name who does not: no account, no process, unknown',
  nobodys: 'unknown',
  somebody: 'name the actor: the client, the operator, another process',
  anybody: 'name the actor',
  whoever: 'name the actor',
  room: 'package, or space',
  rooms: 'packages',
  house: 'repository',
  door: 'entry point, or module',
  doors: 'entry points',
  doorkeeper: 'authenticator',
  road: 'pipeline',
  story: 'sequence, requests, or what it is about',
  stories: 'sequences',
  protagonists: 'accounts of the demo',
  desk: 'identity',
  adopt: 'bootstrap, or take over',
  adopted: 'bootstrap, bootstrapped, or taken over',
  adopter: 'bootstrapper',
  adoption: 'bootstrap',
  adopts: 'bootstraps',
  wonder: 'report as unexpected',
  patiently: 'with retries',
  kin: 'related contracts',
  heir: 'new owner',
}

/** Sentences and names that are refused. */
const REFUSED_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/older than the index/i, 'predates the index'],
  [/\btell[A-Z]\w*/, 'a verb for what it does: append, infer, report'],
]

/** Words that are stored in rows, which change with the next adapter version, and names that other programs gave. */
const KEPT: readonly (readonly [string, string])[] = [
  ['orrery_ingest_retold_total', 'the earlier name of a metric, in the changelog'],
  ['the reserves that were told differ from those stored', 'a notice of Aquarius'],
  ['of a pool that is not known: it is older than the index', 'a notice of Blend'],
  ['a fill of an auction that nobody saw', 'a notice of Blend'],
  ['rewards_info_of_nobody', 'a member of recorded answers'],
  ['.adopt(await openRedis(', 'a method of AsyncDisposableStack'],
  ["'nobody', // a PostgreSQL", 'a user of Unix systems'],
]

const execute = (args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
// The first migrations are applied: their text has a checksum, and later ones replace their comments.
const files = execute(['ls-files', '--cached', '--others', '--exclude-standard'])
  .split('\n')
  .filter((path) => /\.(tsx?|mjs|sql|md|yml|json|sh|css|html)$|Dockerfile$|^\.ci\/run$/.test(path) && existsSync(join(root, path)))
  .filter(
    (path) =>
      !/^recordings\/|^package-lock\.json$|\/licenses\/|^plain-english\.test\.ts$|^docs\/glossary\.md$|\/migrations\/000\d_/.test(path),
  )

/** A name as its words: `toldLog`, `told_log` and `told-log` have two. */
const wordsOf = (line: string): string[] =>
  line
    .replaceAll('ClickHouse', '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())

function problemsOf(path: string): string[] {
  const kept = KEPT.reduce((text, [words]) => text.replaceAll(words, ''), readFileSync(join(root, path), 'utf8'))
  return [path, ...kept.split('\n')].flatMap((line, n) => {
    const words = wordsOf(line).flatMap((word) => (Object.hasOwn(REFUSED, word) ? [`${word}: write ${REFUSED[word]}`] : []))
    const phrases = REFUSED_PHRASES.flatMap(
      ([pattern, instead]) =>
        pattern
          .exec(line)
          ?.slice(0, 1)
          .map((found) => `${found}: write ${instead}`) ?? [],
    )
    return [...new Set([...words, ...phrases])].map((problem) => `${path}:${n}: ${problem}`)
  })
}

describe('plain English', () => {
  it('source and pages use the words of the glossary', () => {
    expect(files.flatMap(problemsOf)).toEqual([])
  })

  it('every word that is kept still occurs', () => {
    const text = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    expect(KEPT.filter(([words]) => !text.includes(words))).toEqual([])
  })
})
