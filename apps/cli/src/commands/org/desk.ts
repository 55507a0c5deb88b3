// Where the operator works: the database of organizations, opened for one command, and the words in which it answers.

import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { type AccessChange, type Actor, type Identity, type Organization, openIdentity, openRedis, redisBus } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { identityUrlOf } from '../../data-folder.ts'
import type { Where } from './org-options.ts'

export interface Desk {
  readonly identity: Identity
  /** For the audit log. */
  readonly operator: Actor
  /** @throws OrreryError `not_found`/`unknown_organization`. */
  organization(slug: string): Promise<Organization>
  /** Publishes the change to running instances. Without it they see the change within five seconds. */
  changed(change: AccessChange): Promise<void>
  /** The result, as a document or as a sentence. */
  say(document: Readonly<Record<string, unknown>>, text: string): void
}

export async function atDesk(options: Where, { stdout, stderr }: CliContext, work: (desk: Desk) => Promise<void>): Promise<void> {
  await using identity = await openIdentity(options.identity ?? urlOfFolder(options.data))
  await work({
    identity,
    operator: { kind: 'operator', id: accountName(), address: hostname() },
    async organization(slug) {
      const found = await identity.organizationBySlug(slug)
      if (found !== null) return found
      const message = `There is no organization ${JSON.stringify(slug)}. Nothing was changed.\n\`orrery org list\` shows those that there are; \`orrery org create\` makes one.`
      throw new OrreryError('not_found', 'unknown_organization', message)
    },
    async changed(change) {
      const isTold = options.redis !== undefined && (await tell(options.redis, change))
      if (!isTold) stderr.write('Running instances see the change within five seconds.\n')
    },
    say(document, text) {
      stdout.write(options.json ? `${JSON.stringify(document)}\n` : text)
    },
  })
}

function urlOfFolder(folder: string): string {
  if (existsSync(folder)) return identityUrlOf(folder)
  const message = `There is no data folder ${resolve(folder)}. Nothing was changed.\nName the one of \`orrery up\` with \`--data\`, or a database with ORRERY_IDENTITY.`
  throw new OrreryError('invalid', 'data_folder_absent', message)
}

/** False when Redis is away: the database has the change, and instances look there. */
async function tell(url: string, change: AccessChange): Promise<boolean> {
  const redis = await openRedis(url, () => undefined, { answerWithinMs: 5_000, connectWithinMs: 5_000 })
  try {
    await using bus = redisBus(redis)
    await bus.tell(change)
    return true
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown') // a container may run under a number that has no name
  }
}

/** RFC 3339, seconds; null stays null. */
export function time(milliseconds: number): string
export function time(milliseconds: number | null): string | null
export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
