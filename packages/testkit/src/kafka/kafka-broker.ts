// A real Kafka broker in a separate process, which tests can kill and restart on the same port and data.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { freePort } from '../free-port.ts'
import { javaCommand } from './env.ts'
import { FaultyLine } from './faulty-line.ts'
import { formatFolder, type KafkaDistribution, kafkaDistribution } from './kafka-distribution.ts'
import { type BrokerPorts, type ExtraListener, serverProperties } from './server-properties.ts'

const JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:+ExitOnOutOfMemoryError']
const READY_WITHIN_MS = 300_000

export class KafkaBroker implements AsyncDisposable {
  readonly address: string
  /** The same broker with authentication: user `orrery`, password `open sesame`. */
  readonly lockedAddress: string
  /** The same broker through a connection with faults. */
  readonly lineAddress: string
  readonly line: FaultyLine
  readonly #distribution: KafkaDistribution
  readonly #directory: string
  readonly #extra: readonly ExtraListener[]
  #process: ChildProcess | null = null
  #output = ''

  private constructor(
    distribution: KafkaDistribution,
    directory: string,
    ports: BrokerPorts,
    line: FaultyLine,
    extra: readonly ExtraListener[],
  ) {
    this.#extra = extra
    this.#distribution = distribution
    this.#directory = directory
    this.address = `127.0.0.1:${ports.open}`
    this.lockedAddress = `127.0.0.1:${ports.locked}`
    this.lineAddress = `127.0.0.1:${line.port}`
    this.line = line
  }

  /** Resolves when it answers. Its data is deleted with it. */
  static async start(listeners: readonly Omit<ExtraListener, 'port'>[] = []): Promise<KafkaBroker> {
    const distribution = await kafkaDistribution()
    const directory = mkdtempSync(join(tmpdir(), 'orrery-kafka-'))
    formatFolder(distribution, join(directory, 'log'))
    // The address that a broker sends to its clients must be known before it starts.
    const extra: ExtraListener[] = []
    for (const listener of listeners) extra.push({ ...listener, port: await freePort() })
    const far = await freePort()
    const line = await FaultyLine.open(() => far)
    const ports = { open: await freePort(), locked: await freePort(), controller: await freePort(), line: far, lineEntrance: line.port }
    writeFileSync(join(directory, 'server.properties'), serverProperties(join(directory, 'log'), ports, extra))
    const broker = new KafkaBroker(distribution, directory, ports, line, extra)
    await broker.restart()
    return broker
  }

  /** The address of a listener that the test has added. */
  addressOf(listener: string): string {
    const found = this.#extra.find(({ name }) => name === listener)
    if (found === undefined) throw new Error(`The broker has no listener ${listener}.`)
    return `127.0.0.1:${found.port}`
  }

  /** Starts it after `kill`, with the records that it had acknowledged. */
  async restart(): Promise<void> {
    const options = [...JVM, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', this.#distribution.classPath]
    const child = spawn(javaCommand, [...options, 'kafka.Kafka', join(this.#directory, 'server.properties')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = child
    process.once('exit', this.#killNow)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-10_000)
    })
    await this.#ready(child)
  }

  /** Ends as in a power cut, except for the page cache. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.line[Symbol.asyncDispose]()
    await this.#end('SIGTERM')
    rmSync(this.#directory, { recursive: true, force: true })
  }

  readonly #killNow = (): void => void this.#process?.kill('SIGKILL')

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child === null) return
    this.#process = null
    process.off('exit', this.#killNow)
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  /** An open port is not enough: the broker is ready when it lists itself. */
  async #ready(child: ChildProcess): Promise<void> {
    const kafka = new Kafka({ brokers: [this.address], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const deadlineMs = Date.now() + READY_WITHIN_MS
    for (;;) {
      const admin = kafka.admin()
      try {
        await admin.connect()
        const { brokers } = await admin.describeCluster()
        if (brokers.length > 0) return
      } catch (cause) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadlineMs)
          throw new Error(`The Kafka broker does not answer. Its output:\n${this.#output}`, { cause })
      } finally {
        await admin.disconnect()
      }
      await delay(50)
    }
  }
}
