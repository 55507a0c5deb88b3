// Three real brokers, replication factor 3, for tests that kill one. Clients need TLS and SCRAM-SHA-512; the brokers speak without them.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { freePort } from '../free-port.ts'
import { javaCommand } from './env.ts'
import { kafkaDistribution } from './kafka-distribution.ts'
import { makeTestCertificates, type TestCertificates } from './test-certificates.ts'

const CLUSTER_ID = 'T3JyZXJ5VGVzdHNDbHVzdA'
const JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
const READY_WITHIN_MS = 300_000
const NODES = [1, 2, 3]
const run = promisify(execFile)

const SHARED = {
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
  'listener.name.secure.sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'listener.name.secure.scram-sha-512.sasl.jaas.config': 'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'default.replication.factor': '3',
  'offsets.topic.replication.factor': '3',
  'offsets.topic.num.partitions': '1',
  'group.initial.rebalance.delay.ms': '0',
  'auto.create.topics.enable': 'false',
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  'num.network.threads': '2',
  'num.io.threads': '2',
  'log.cleaner.dedupe.buffer.size': '10485760',
}

export class KafkaCluster implements AsyncDisposable {
  /** User `orrery` with the password `open sesame`, by SCRAM-SHA-512 over TLS. */
  readonly address: string
  readonly certificates: TestCertificates
  readonly #directory: string
  readonly #processes = new Map<number, ChildProcess>()

  private constructor(directory: string, certificates: TestCertificates, address: string) {
    this.#directory = directory
    this.certificates = certificates
    this.address = address
  }

  /** Resolves when all three brokers are known. Node 1 is the controller. */
  static async start(): Promise<KafkaCluster> {
    const { classPath } = await kafkaDistribution()
    const directory = mkdtempSync(join(tmpdir(), 'orrery-kafka-cluster-'))
    const certificates = makeTestCertificates(directory)
    const controller = await freePort()
    const ports: { readonly id: number; readonly open: number; readonly secure: number }[] = []
    for (const id of NODES) ports.push({ id, open: await freePort(), secure: await freePort() })
    const cluster = new KafkaCluster(directory, certificates, ports.map(({ secure }) => `127.0.0.1:${secure}`).join(','))
    const java = (...options: string[]) => run(javaCommand, [...JVM, '-cp', classPath, ...options])
    await Promise.all(
      ports.map(async ({ id, open, secure }) => {
        const data = join(directory, `data-${id}`)
        mkdirSync(data)
        const advertised = `PLAINTEXT://127.0.0.1:${open},SECURE://127.0.0.1:${secure}`
        const tls = Object.entries(certificates.listener).map(([name, value]) => [`listener.name.secure.${name}`, value] as const)
        const isController = id === 1
        const own = {
          'process.roles': isController ? 'broker,controller' : 'broker',
          'node.id': String(id),
          'log.dirs': data,
          'controller.quorum.bootstrap.servers': `127.0.0.1:${controller}`,
          listeners: isController ? `${advertised},CONTROLLER://127.0.0.1:${controller}` : advertised,
          'advertised.listeners': isController ? `${advertised},CONTROLLER://127.0.0.1:${controller}` : advertised,
        }
        const settings = { ...SHARED, ...own, ...Object.fromEntries(tls) }
        const file = join(directory, `${id}.properties`)
        const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
        writeFileSync(file, lines.join(''))
        const user = ['--add-scram', 'SCRAM-SHA-512=[name="orrery",password="open sesame"]']
        const role = isController ? ['--standalone', ...user] : []
        await java('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', file, ...role)
        const child = spawn(javaCommand, [...JVM, '-cp', classPath, 'kafka.Kafka', file], { stdio: 'ignore' })
        cluster.#processes.set(id, child)
      }),
    )
    process.once('exit', cluster.#killNow)
    await cluster.#ready(ports.map(({ open }) => `127.0.0.1:${open}`))
    return cluster
  }

  /** Ends node 2 or 3 as in a power cut, except for the page cache. It does not come back. */
  async kill(id: 2 | 3): Promise<void> {
    await this.#end(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#killNow)
    await Promise.all(NODES.map((id) => this.#end(id)))
    rmSync(this.#directory, { recursive: true, force: true })
  }

  readonly #killNow = (): void => {
    for (const child of this.#processes.values()) child.kill('SIGKILL')
  }

  async #end(id: number): Promise<void> {
    const child = this.#processes.get(id)
    this.#processes.delete(id)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  async #ready(brokers: string[]): Promise<void> {
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const deadlineMs = Date.now() + READY_WITHIN_MS
    for (;;) {
      const admin = kafka.admin()
      try {
        await admin.connect()
        if ((await admin.describeCluster()).brokers.length === NODES.length) return
      } catch (cause) {
        if (Date.now() > deadlineMs) throw new Error('The Kafka cluster does not answer.', { cause })
      } finally {
        await admin.disconnect()
      }
      await delay(100)
    }
  }
}
