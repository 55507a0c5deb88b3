// A real PostgreSQL for a test file, in a folder of its own: `apt-get install postgresql`. One cluster with any number of empty databases.

import { execFile } from 'node:child_process'
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { startServer } from './server-process.ts'

export interface PostgresServer extends AsyncDisposable {
  /** Creates an empty database, by default with a name of its own, and returns its URL. */
  database(name?: string): Promise<string>
  /** Runs one of its programs, such as `pg_dump`. */
  run(program: string, args: readonly string[]): Promise<void>
  /** Kills it: nothing more is written, and the next start recovers from its log. */
  kill(): Promise<void>
  /** After `kill`: the same data at the same address. */
  restart(): Promise<void>
}

const run = promisify(execFile)
const INSTALL = '`apt-get install postgresql`, or any PostgreSQL from 14 on with its programs on the PATH'
const USER = 'orrery'

export interface PostgresOptions {
  /** Any free one when not given. */
  readonly port?: number
  /** Of its user `orrery`. Not given: the server asks for none. */
  readonly password?: string
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'orrery-postgres-'))
  const user = await serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  await initialise(data, user, options.password)
  const port = options.port ?? (await freePort())
  const start = () =>
    startServer({
      name: 'PostgreSQL',
      program: programOf('postgres'),
      // fsync is off to save time. Killing the process loses nothing that was written to the operating system.
      args: ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'lc_messages=C'],
      user,
      ready: /ready to accept connections/,
      install: INSTALL,
    })
  let running = await start()
  let made = 0
  return {
    async database(name = `test_${++made}`) {
      const env = { PGPASSWORD: options.password ?? '' }
      await run(programOf('createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', USER, name], { env })
      return `postgres://${USER}${options.password === undefined ? '' : `:${options.password}`}@127.0.0.1:${port}/${name}`
    },
    async run(program, args) {
      await run(programOf(program), args)
    },
    // Not SIGKILL: that ends only the listener, and the processes of open connections continue for a while.
    kill: () => running.end('SIGQUIT'),
    async restart() {
      await running.end('SIGQUIT')
      running = await start()
    },
    async [Symbol.asyncDispose]() {
      await running.end('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type SystemUser = { readonly uid: number; readonly gid: number } | undefined

async function initialise(data: string, user: SystemUser, password: string | undefined): Promise<void> {
  const passwordFile = `${data}.password`
  if (password !== undefined) writeFileSync(passwordFile, password)
  const authentication = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const args = ['-D', data, '-U', USER, '-E', 'UTF8', '--locale=C', '--no-sync', ...authentication]
  try {
    await run(programOf('initdb'), args, { cwd: '/', ...user })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`PostgreSQL could not be started (${why.trim()}). This test needs a real one: ${INSTALL}.`, { cause })
  }
}

/** On Debian the server's programs are not in the PATH. The newest version is used. */
function programOf(name: string): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(root, version, 'bin', name)).find((path) => existsSync(path)) ?? name
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. Undefined: the user of the test. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string, name: string) => Number((await run('id', [flag, name])).stdout)
  const name = await run('id', ['-u', 'postgres']).then(
    () => 'postgres',
    () => 'nobody', // a PostgreSQL that was not installed as a package has no user of its own
  )
  return { uid: await id('-u', name), gid: await id('-g', name) }
}
