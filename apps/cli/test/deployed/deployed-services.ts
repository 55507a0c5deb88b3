// The services of docker-compose.yml as processes of this machine: their arguments, environment, secrets and checks are those of the file. A name
// of a service becomes an address of 127.0.0.1, and each service finds only its own secrets, as below /run/secrets in a container.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@orrery/testkit'
import { startConfiguredBroker } from '@orrery/testkit/kafka'
import { type ServerProcess, startPostgres, startServer } from '@orrery/testkit/servers'
import { Orrery } from '../orrery.ts'
import { type ComposeService, readCompose } from './compose-file.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** Variables of the image of Kafka that are no settings of the broker. */
const NO_SETTINGS = ['KAFKA_HEAP_OPTS', 'KAFKA_OPTS']

export interface DeployedOptions {
  readonly folder: string
  /** Instead of the whole recording. */
  readonly lake: string
  /** What stands in for the service `clickhouse`, and the passwords of its users. */
  readonly clickhouse: { readonly url: string; readonly passwords: Readonly<Record<string, string>> }
}

type Ports = Readonly<Record<'kafka' | 'controller' | 'postgres' | 'redis', number>>

export class DeployedServices implements AsyncDisposable {
  readonly services = readCompose(join(repository, 'docker-compose.yml'))
  readonly #folder: string
  readonly #places: readonly (readonly [string, string])[]
  readonly #ports: Ports
  readonly #stack = new AsyncDisposableStack()
  #runs = 0

  private constructor({ folder, lake, clickhouse }: DeployedOptions, ports: Ports) {
    this.#folder = folder
    this.#ports = ports
    this.#places = [
      ['kafka:9092', `127.0.0.1:${ports.kafka}`],
      ['://:9092', `://127.0.0.1:${ports.kafka}`],
      ['/127.0.0.1/9092', `/127.0.0.1/${ports.kafka}`],
      ['127.0.0.1:9093', `127.0.0.1:${ports.controller}`],
      ['/var/lib/kafka/data', join(folder, 'kafka-data')],
      ['http://clickhouse:8123', clickhouse.url],
      ['/srv/orrery/recordings/forge-a/lake', lake],
      ['/tmp/redis.conf', join(folder, 'redis.conf')],
      ['redis-cli ', `redis-cli -p ${ports.redis} `],
      ['pg_isready ', `pg_isready --host 127.0.0.1 --port ${ports.postgres} `],
      ['172.29.80.2', '127.0.0.1'],
    ]
  }

  /** Makes the secrets by the deployment's own script. Nothing is started. */
  static async prepare(options: DeployedOptions): Promise<DeployedServices> {
    const ports = { kafka: await freePort(), controller: await freePort(), postgres: await freePort(), redis: await freePort() }
    const made = new DeployedServices(options, ports)
    const secrets = join(options.folder, 'secrets')
    mkdirSync(secrets)
    for (const [user, password] of Object.entries(options.clickhouse.passwords))
      writeFileSync(join(secrets, `clickhouse-${user}`), password)
    const variables = { POSTGRES: `127.0.0.1:${ports.postgres}`, REDIS: `127.0.0.1:${ports.redis}` }
    const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    const { status, stderr } = spawnSync('env', [...assigned, join(repository, 'infra/secrets/make-secrets.sh'), secrets], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`make-secrets.sh ended with ${status}: ${stderr}`)
    return made
  }

  service(name: string): ComposeService {
    const found = this.services[name]
    if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}.`)
    return found
  }

  secret(name: string): string {
    return readFileSync(join(this.#folder, 'secrets', name), 'utf8').trimEnd()
  }

  get redisPort(): number {
    return this.#ports.redis
  }

  async startServers(): Promise<void> {
    await Promise.all([this.#startKafka(), this.#startPostgres(), this.#startRedis()])
  }

  /** Every process of Orrery in the profile, with its replicas, by service. */
  processes(profile: string): readonly string[] {
    return Object.entries(this.services).flatMap(([name, { image, profiles, deploy }]) =>
      image === 'orrery:local' && profiles.includes(profile) ? Array<string>(deploy.replicas).fill(name) : [],
    )
  }

  /** Starts the process of a service, or another command in its place, as `docker compose run` does. `secrets` replaces the contents of files. */
  start(name: string, { command, secrets = {}, stdin = '' }: StartOptions = {}): Orrery {
    const service = this.service(name)
    const place = this.#mountSecrets(name, service, secrets)
    const env = Object.entries(service.environment).map(([variable, value]) => [variable, this.#local(value, place)] as const)
    const onLoopback = { ORRERY_HOST: '127.0.0.1', ORRERY_PORT: '0', ORRERY_INTERNAL_HOST: '127.0.0.1', ORRERY_INTERNAL_PORT: '0' }
    const args = (command ?? service.command).map((word) => this.#local(word, place))
    return this.#stack.use(new Orrery(args, { ...Object.fromEntries(env.filter(([, value]) => value !== '')), ...onLoopback }, stdin))
  }

  /** The exit code of the service's own health check. Of a process of Orrery, at its internal address. */
  health(name: string, internalUrl = ''): number | null {
    const [kind = '', ...words] = this.service(name).healthcheck.test
    const place = join(this.#folder, 'run', `${name}-0`)
    const command = words.map((word) => this.#local(word, place).replace('http://127.0.0.1:9090', internalUrl))
    const [program = '', ...args] = kind === 'CMD-SHELL' ? ['sh', '-c', ...command] : command
    return spawnSync(program, args, { stdio: 'ignore' }).status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  async #startKafka(): Promise<void> {
    const service = this.service('kafka')
    const place = this.#mountSecrets('kafka', service, {}, 0)
    mkdirSync(join(this.#folder, 'kafka-data'))
    const variables = Object.entries(service.environment).map(([name, value]) => [name, this.#local(value, place)] as const)
    // As the image does: KAFKA_LOG_DIRS is `log.dirs`.
    const properties = variables
      .filter(([name]) => !NO_SETTINGS.includes(name))
      .map(([name, value]) => [name.slice('KAFKA_'.length).toLowerCase().replaceAll('_', '.'), value])
    const java = variables.filter(([name]) => NO_SETTINGS.includes(name)).flatMap(([, value]) => value.split(' '))
    const started = await startConfiguredBroker({ folder: this.#folder, properties: Object.fromEntries(properties), java })
    this.#stack.use(started)
  }

  async #startPostgres(): Promise<void> {
    const service = this.service('postgres')
    const place = this.#mountSecrets('postgres', service, {}, 0)
    const { POSTGRES_DB: database, POSTGRES_PASSWORD_FILE: file = '' } = service.environment
    const password = readFileSync(this.#local(file, place), 'utf8').trimEnd()
    const started = this.#stack.use(await startPostgres({ port: this.#ports.postgres, password }))
    await started.database(database)
  }

  async #startRedis(): Promise<ServerProcess> {
    const service = this.service('redis')
    const place = this.#mountSecrets('redis', service, {}, 0)
    const [program = '', ...args] = [...service.entrypoint, ...service.command].map((word) => this.#local(word, place))
    const own = ['--port', String(this.#ports.redis), '--bind', '127.0.0.1']
    const ready = /Ready to accept connections/
    const started = await startServer({ name: 'Redis', program, args: [...args, ...own], ready, install: '`apt-get install redis-server`' })
    return this.#stack.use(started)
  }

  /** A folder that stands for /run/secrets of one container. */
  #mountSecrets(name: string, { secrets }: ComposeService, replaced: Readonly<Record<string, string>>, run = ++this.#runs): string {
    const folder = join(this.#folder, 'run', `${name}-${run}`)
    mkdirSync(folder, { recursive: true })
    for (const { source, target } of secrets) {
      mkdirSync(dirname(join(folder, target)), { recursive: true })
      const value = replaced[source]
      if (value === undefined) copyFileSync(join(this.#folder, 'secrets', source), join(folder, target))
      else writeFileSync(join(folder, target), value)
    }
    return folder
  }

  #local(text: string, secrets: string): string {
    const places = [['/run/secrets', secrets] as const, ...this.#places]
    return places.reduce((changed, [inContainer, here]) => changed.replaceAll(inContainer, here), text)
  }
}

interface StartOptions {
  readonly command?: readonly string[]
  readonly secrets?: Readonly<Record<string, string>>
  readonly stdin?: string
}
