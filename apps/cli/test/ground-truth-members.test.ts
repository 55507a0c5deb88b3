// The list of members against the recording: no member of an answer is skipped without a reason.

import { readdirSync, readFileSync } from 'node:fs'
import { groundTruthRecording, isShippedRecording } from '@orrery/testkit'
import { beforeAll, expect, it } from 'vitest'
import { memberPaths } from './truth/compared.ts'
import { WAYS } from './truth/member.ts'
import { MEMBERS } from './truth/members.ts'

/** Lines and members with a value or without, by kind. */
const lines = new Map<string, number>()
const occurring = new Map<string, Set<string>>()

beforeAll(async () => {
  for await (const { kind, ...answer } of groundTruthRecording().expected()) {
    lines.set(kind, (lines.get(kind) ?? 0) + 1)
    const members = occurring.get(kind) ?? new Set(['kind'])
    occurring.set(kind, members)
    for (const [member, value] of Object.entries(answer)) {
      const paths = memberPaths(kind, member, value)
      for (const path of paths.length === 0 ? [`${member} (null)`] : paths) members.add(path)
    }
  }
})

it('every kind and member of the recorded answers is compared, or has a reason why not', () => {
  const unlisted = [...occurring].flatMap(([kind, members]) =>
    [...members].filter((path) => !isListed(kind, path)).map((path) => `${kind} ${path}`),
  )
  expect(unlisted).toEqual([])
})

/** A member that is null is listed where it, or any of its parts is. */
function isListed(kind: string, path: string): boolean {
  const listed = MEMBERS[kind] ?? {}
  const member = path.replace(/ \(null\)$/, '')
  return member in listed || (member !== path && Object.keys(listed).some((it) => it.startsWith(`${member}.`)))
}

it('every kind with lines is compared', () => {
  const compared = (kind: string) => Object.values(MEMBERS[kind] ?? {}).some((member) => 'ways' in member)
  expect([...lines.keys()].filter((kind) => !compared(kind))).toEqual([])
})

it.runIf(isShippedRecording)('every entry of the list occurs in the shipped recording', () => {
  const occurs = (kind: string, path: string) => {
    const members = occurring.get(kind)
    return members?.has(path) === true || members?.has(`${path} (null)`) === true
  }
  const idle = Object.entries(MEMBERS).flatMap(([kind, listed]) =>
    Object.keys(listed)
      .filter((path) => !occurs(kind, path))
      .map((path) => `${kind} ${path}`),
  )
  expect(idle).toEqual([])
  expect([lines.size, [...lines.values()].reduce((sum, count) => sum + count, 0)]).toEqual([30, 151_344])
})

it('every test file that the list names holds the claims about it against what ran', () => {
  const named = new Set(
    Object.values(MEMBERS).flatMap((listed) =>
      Object.values(listed).flatMap((member) => ('ways' in member ? WAYS.flatMap((way) => member.ways[way] ?? []) : [])),
    ),
  )
  const files = readdirSync(new URL('.', import.meta.url))
  const silent = [...named].filter((test) => {
    const [file = ''] = files.filter((name) => name.startsWith(`ground-truth-${test}.`))
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    return !source.replaceAll(/\s/g, '').includes(`expect(claimsThatDidNotRun('${test}',`)
  })
  expect(silent).toEqual([])
})
