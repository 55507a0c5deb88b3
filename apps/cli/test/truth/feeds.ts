// Feeds of activities through `/v1`, and the addresses that are asked about.

import { readFileSync } from 'node:fs'
import { groundTruthRecording } from '@orrery/testkit'
import { expect } from 'vitest'
import type { Answer } from '../indexed-network.ts'
import type { WholeNetwork } from './whole-network.ts'

/** Everything that an account did, newest first. `filter` is a part of the query string and begins with `&`. */
export async function feedOf(whole: WholeNetwork, address: string, filter = ''): Promise<Answer['data'][]> {
  const activities: Answer['data'][] = []
  let cursor = ''
  do {
    const { data } = await whole.get(`/v1/users/${address}/activities?limit=100${filter}${cursor}`)
    activities.push(...data.activities)
    cursor = data.next_cursor === null ? '' : `&cursor=${encodeURIComponent(data.next_cursor)}`
  } while (cursor !== '')
  return activities
}

/** Every action of an account, newest first, in pages of `limit`. `filter` is a part of the query string and begins with `&`. */
export async function actionsOf(whole: WholeNetwork, address: string, filter = '', limit = 100): Promise<Answer['data'][]> {
  const actions: Answer['data'][] = []
  let cursor = ''
  do {
    const { data } = await whole.get(`/v1/users/${address}/actions?limit=${limit}${filter}${cursor}`)
    expect(data.actions.length).toBeLessThanOrEqual(limit)
    actions.push(...data.actions)
    cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`
  } while (cursor !== '')
  return actions
}

/** Accounts and contracts that have a name in the recording. */
export function everyAddress(): Set<string> {
  return new Set(readFileSync(groundTruthRecording().networkFile, 'utf8').match(/\b[GC][A-Z2-7]{55}\b/g))
}
