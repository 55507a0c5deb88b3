// A member of a consumer group that only shares partitions: it joins, receives its partitions, and hands over when the group changes.
// It does not read. Its protocol is that of Kafka's clients, so `kafka-consumer-groups.sh --describe --members` shows the assignment.

import { setTimeout as delay } from 'node:timers/promises'
import { AssignerProtocol } from 'kafkajs'
import type { Share } from '../event-log.ts'
import { assignPartitions } from './assign-partitions.ts'
import { GroupSession } from './group-session.ts'
import type { KafkaConnection } from './kafka-connection.ts'
import { kafkaErrorType } from './kafka-error.ts'

/** Name of the assignment strategy. Members without a common strategy cannot be in one group. */
const ASSIGNER = 'orrery'
/** How long a member may take to store what it has folded before the others continue without it. */
const HAND_OVER_MS = 60_000
const LOOK_AGAIN_MS = 250
const LEAVE_WITHIN_MS = 1_000

export interface GroupOptions {
  readonly topic: string
  readonly groupId: string
  readonly sessionMs: number
}

interface Joined {
  readonly memberId: string
  readonly generationId: number
  readonly partitions: readonly number[]
}

/** Yields this process's share after every change of the group. Requesting the next share hands over the one before. */
export async function* shareOf(connection: KafkaConnection, options: GroupOptions, signal: AbortSignal): AsyncIterable<Share> {
  const member = new GroupMember(connection, options)
  try {
    while (!signal.aborted) {
      const joined = await member.join(signal)
      if (joined === null) continue
      const session = new GroupSession(connection, { ...options, ...joined })
      const end = (): void => session.end()
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end() // just now
      try {
        yield { partitions: joined.partitions, changed: session.changed, lost: session.lost }
      } finally {
        signal.removeEventListener('abort', end)
        await session.close()
      }
      if (session.lost.aborted) member.forget()
    }
  } finally {
    await member.leave()
  }
}

class GroupMember {
  readonly #connection: KafkaConnection
  readonly #options: GroupOptions
  /** Member id: '' until the group has assigned one, and again after the group has dropped this member. */
  #id = ''
  #had: readonly number[] = []

  constructor(connection: KafkaConnection, options: GroupOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Resolves when every member has handed over and the shares are known. Null when that must be retried. */
  async join(signal: AbortSignal): Promise<Joined | null> {
    const { topic, groupId, sessionMs } = this.#options
    const total = await this.#connection.countPartitions(topic, signal)
    if (total === null) {
      await delay(LOOK_AGAIN_MS, undefined, { signal }) // the topic does not exist yet
      return null
    }
    const metadata = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [topic], userData: writeHad(this.#had) })
    const request = { groupId, sessionTimeout: sessionMs, rebalanceTimeout: HAND_OVER_MS, groupProtocols: [{ name: ASSIGNER, metadata }] }
    try {
      return await this.#connection.atCoordinator(
        groupId,
        async (coordinator) => {
          const { memberId, leaderId, generationId, members } = await coordinator.joinGroup({ ...request, memberId: this.#id })
          this.#id = memberId
          const groupAssignment = memberId === leaderId ? assignmentsOf(members, topic, total) : []
          const { memberAssignment } = await coordinator.syncGroup({ groupId, memberId, generationId, groupAssignment })
          const partitions = AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? []
          this.#had = partitions
          return { memberId, generationId, partitions }
        },
        signal,
        HAND_OVER_MS + sessionMs,
      )
    } catch (error) {
      const type = kafkaErrorType(error)
      if (type === 'REBALANCE_IN_PROGRESS') return null // another member joined at the same time
      if (type !== 'UNKNOWN_MEMBER_ID' && type !== 'ILLEGAL_GENERATION') throw error
      this.forget()
      return null
    }
  }

  /** Another member has the former partitions of this one. */
  forget(): void {
    this.#id = ''
    this.#had = []
  }

  /** Leaves the group, so that the others need not wait until the session expires. When this fails, they wait; nothing else is affected. */
  async leave(): Promise<void> {
    const { groupId } = this.#options
    const memberId = this.#id
    if (memberId === '') return
    const soon = AbortSignal.timeout(LEAVE_WITHIN_MS)
    await this.#connection
      .atCoordinator(groupId, (coordinator) => coordinator.leaveGroup({ groupId, memberId }), soon)
      .catch(() => undefined)
  }
}

type MemberOfGroup = { readonly memberId: string; readonly memberMetadata: Buffer }

/** The assignment that the leader sends to the others. */
function assignmentsOf(members: readonly MemberOfGroup[], topic: string, total: number) {
  const known = members.map(({ memberId, memberMetadata }) => ({ id: memberId, had: readHad(memberMetadata) }))
  return [...assignPartitions(known, total)].map(([memberId, partitions]) => {
    const assignment = { version: 0, assignment: { [topic]: [...partitions] }, userData: Buffer.alloc(0) }
    return { memberId, memberAssignment: AssignerProtocol.MemberAssignment.encode(assignment) }
  })
}

/** The former partitions of a member are sent as text: `0,2`. */
function writeHad(had: readonly number[]): Buffer {
  return Buffer.from(had.join(','))
}

function readHad(memberMetadata: Buffer): readonly number[] {
  const text = AssignerProtocol.MemberMetadata.decode(memberMetadata)?.userData.toString() ?? ''
  return text === '' ? [] : text.split(',').map(Number)
}
