// `orrery migrate`: brings the tables of a ClickHouse up to date, and with --users its users. `orrery up` does the first by itself.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'
import {
  type ClickHouseAddress,
  createUsers,
  migrate,
  openClickHouse,
  readableNames,
  type SchemaTarget,
  SERVER_USERS,
  type ServerUser,
  userStatements,
} from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { MIGRATE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'

const SHORTEST_PASSWORD = 12

/**
 * @throws OrreryError `invalid`/`invalid_options`, `users_password_unusable` before anything is changed, `users_refused` after the tables were migrated,
 * and the errors of `migrate`.
 */
export async function migrateTables(options: OptionValues<typeof MIGRATE_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password, clickhouseDatabase: database } = options
  if (options.printUsers && options.users === undefined) {
    const text = '--print-users needs --users with the folder of the passwords. Nothing was changed.'
    throw new OrreryError('invalid', 'invalid_options', text)
  }
  const passwords = options.users === undefined ? null : readPasswords(options.users)
  const target = targetOf(options)
  const address = { url, user, password, database }
  const applied = await migrate(address, { target })
  const users = passwords === null ? null : await usersOf(address, target, passwords, options.printUsers)
  if (options.json) {
    const made = users === null ? {} : { users: SERVER_USERS, statements: users.printed ?? users.count }
    stdout.write(`${JSON.stringify({ event: 'migrated', database, applied, ...made })}\n`)
    return
  }
  if (users?.printed !== undefined) {
    stdout.write(`${users.printed.map((sql) => `${sql};\n`).join('')}`)
    return
  }
  for (const name of applied) stdout.write(`applied ${name}\n`)
  stdout.write(applied.length === 0 ? `${database} was up to date.\n` : `${database} is up to date.\n`)
  if (users !== null) stdout.write(`The users ${SERVER_USERS.join(', ')} are up to date.\n`)
}

function targetOf({ cluster, replicated }: OptionValues<typeof MIGRATE_OPTIONS>): SchemaTarget {
  if (cluster !== undefined) return { kind: 'cluster', cluster, replicated }
  if (!replicated) return { kind: 'single' }
  const text = '--replicated needs --cluster with the name of the cluster. Nothing was changed.'
  throw new OrreryError('invalid', 'invalid_options', text)
}

async function usersOf(
  address: ClickHouseAddress,
  target: SchemaTarget,
  passwords: Readonly<Record<ServerUser, string>>,
  prints: boolean,
): Promise<{ readonly count: number; readonly printed?: readonly string[] }> {
  if (!prints) return { count: await createUsers(address, passwords, target) }
  await using connection = openClickHouse(address)
  const { database } = address
  const printed = userStatements({ database, passwords, ...(await readableNames(connection, database)), target })
  return { count: printed.length, printed }
}

/** One file for each user, as a container mounts secrets. A line end after the password is not part of it. */
function readPasswords(folder: string): Readonly<Record<ServerUser, string>> {
  const read = SERVER_USERS.map((user) => [user, passwordIn(join(folder, user))] as const)
  const problems = read.flatMap(([user, { problem }]) => (problem === undefined ? [] : [`  ${join(folder, user)} ${problem}`]))
  if (problems.length > 0) {
    const text = `The passwords of the users cannot be used. Nothing was changed.\n${problems.join('\n')}`
    throw new OrreryError('invalid', 'users_password_unusable', text)
  }
  return Object.fromEntries(read.map(([user, { password }]) => [user, password])) as Record<ServerUser, string>
}

function passwordIn(file: string): { readonly password: string; readonly problem?: string } {
  try {
    const password = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return password.length >= SHORTEST_PASSWORD ? { password } : { password, problem: `has less than ${SHORTEST_PASSWORD} characters` }
  } catch (error) {
    const { code = '' } = error as { readonly code?: string }
    return { password: '', problem: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` }
  }
}
