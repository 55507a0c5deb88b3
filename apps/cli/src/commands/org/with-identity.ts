// Opens the database of organizations for one command, and prints the command's result.

import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { type AccessChange, type Actor, type Identity, type Organization, openIdentity, openRedis, redisBus } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { assertComplete, identityUrlOf } from '../../data-folder.ts'
import type { Where } from './org-options.ts'

export interface OperatorContext {
  readonly identity: Identity
  /** For the audit log. */
  readonly operator: Actor
  /** @throws OrreryError `not_found`/`unknown_organization`. */
  organization(slug: string): Promise<Organization>
  /** Publishes the change to running instances. Without it they see the change within five seconds. */
  changed(change: AccessChange): Promise<void>
  /** Prints the result as JSON or as text. */
  say(document: Readonly<Record<string, unknown>>, text: string): void
}

export async function withIdentity(
  options: Where,
  { stdout, stderr }: CliContext,
  work: (operatorContext: OperatorContext) => Promise<void>,
): Promise<void> {
  await using identity = await openIdentity(identityUrl(options))
  await work({
    identity,
    operator: { kind: 'operator', id: accountName(), address: hostname() },
    async organization(slug) {
      const found = await identity.organizationBySlug(slug)
      if (found !== null) return found
      const message = `There is no organization ${JSON.stringify(slug)}. Nothing was changed.\n\`orrery org list\` shows all organizations; \`orrery org create\` creates one.`
      throw new OrreryError('not_found', 'unknown_organization', message)
    },
    async changed(change) {
      const isPublished = options.redis !== undefined && (await publish(options.redis, change))
      if (!isPublished) stderr.write('Running instances see the change within five seconds.\n')
    },
    say(document, text) {
      stdout.write(options.json ? `${JSON.stringify(document)}\n` : text)
    },
  })
}

/** The database that is named, else the one of the data folder. @throws OrreryError `invalid`/`data_folder_absent`, `data_folder_incomplete`. */
export function identityUrl({ identity, data }: Pick<Where, 'identity' | 'data'>): string {
  return identity ?? urlOfFolder(data)
}

function urlOfFolder(folder: string): string {
  assertComplete(folder)
  if (existsSync(folder)) return identityUrlOf(folder)
  const message = `There is no data folder ${resolve(folder)}. Nothing was changed.\nName the folder of \`orrery up\` with \`--data\`, or a database with ORRERY_IDENTITY.`
  throw new OrreryError('invalid', 'data_folder_absent', message)
}

/** False when Redis is not reachable: the database has the change, and instances read it there. */
async function publish(url: string, change: AccessChange): Promise<boolean> {
  const redis = await openRedis(url, () => undefined, { answerWithinMs: 5_000, connectWithinMs: 5_000 })
  try {
    await using bus = redisBus(redis)
    await bus.publish(change)
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
    return String(process.getuid?.() ?? 'unknown') // a container may run as a user number without a name
  }
}

/** RFC 3339, seconds; null stays null. */
export function time(milliseconds: number): string
export function time(milliseconds: number | null): string | null
export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
