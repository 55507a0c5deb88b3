// The screens of a wallet that list actions: each takes one request.

import { isShippedRecording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACTIVITY_MEMBERS, TAX_COLUMNS } from './screens/activity.ts'
import { CountingClient } from './screens/counting-client.ts'
import { csvRecords } from './screens/csv-records.ts'
import { missingFrom } from './screens/members.ts'
import { feedOf } from './truth/feeds.ts'
import { WholeNetwork } from './truth/whole-network.ts'

/** `user07` of the recording, with positions in all four protocols. */
const ACCOUNT = 'GAHSDYDIQTNM32TC45PEFQ5CGK3IOFYMS3ZN7JCZQLUWQC26L6JI6ZY3'

describe.runIf(isShippedRecording)('the screens of a wallet that list actions, by the shipped recording', () => {
  let network: WholeNetwork
  /** Ids of the actions that the feed of activities has, which is not grouped. They sort in the order in which actions began. */
  let actions: readonly string[]
  beforeAll(async () => {
    network = await WholeNetwork.open()
    actions = [...new Set((await feedOf(network, ACCOUNT)).map(({ metadata }) => metadata.action_id as string))].sort()
  }, 900_000)
  afterAll(() => network[Symbol.asyncDispose]())

  it('the list of the last 50 actions takes one request, with a sentence for each', async () => {
    const client = new CountingClient(network)
    const list = await client.get(`/v1/users/${ACCOUNT}/actions?limit=50`)
    expect(client.count).toBe(1)
    expect(missingFrom(list, ACTIVITY_MEMBERS)).toEqual([])
    const { actions: shown } = list.data as { actions: { id: string; summary: string }[] }
    expect(shown.map(({ id }) => id)).toEqual(actions.toReversed().slice(0, 50))
    expect(shown.filter(({ summary }) => summary === '')).toEqual([])
  })

  it('the tax export of a year takes one request: a CSV text with every action of the year', async () => {
    const client = new CountingClient(network)
    const year = 'from=2026-01-01T00:00:00Z&to=2026-12-31T23:59:59Z&order=asc'
    const { contentType, nextPage, text } = await client.getCsv(`/v1/users/${ACCOUNT}/actions?${year}`)
    expect(client.count).toBe(1)
    expect(contentType).toMatch(/^text\/csv/)
    expect(nextPage).toBeNull()
    const [header = [], ...rows] = csvRecords(text)
    expect(TAX_COLUMNS.filter((name) => !header.includes(name))).toEqual([])
    expect(rows.filter((row) => row.length !== header.length)).toEqual([])
    // The whole recording is of 2026.
    expect(rows.map((row) => row[header.indexOf('id')])).toEqual(actions)
  })
})
