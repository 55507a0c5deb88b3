// A real Kafka broker with settings of the caller's own: those of a deployment. `KafkaBroker` has the settings that tests need.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from '../servers/server-process.ts'
import { javaCommand } from './env.ts'
import { kafkaDistribution } from './kafka-distribution.ts'

const CLUSTER_ID = 'T3JyZXJ5VGVzdHNDbHVzdA'
/** To start in seconds. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=info']
const run = promisify(execFile)

export interface BrokerConfiguration {
  /** For its file of settings. */
  readonly folder: string
  /** `server.properties`, with `log.dirs` below a folder that exists. */
  readonly properties: Readonly<Record<string, string>>
  /** Options of Java: memory, and what the settings refer to. */
  readonly java: readonly string[]
}

/** Formats the folder of its log, starts it, and resolves when it has started. */
export async function startConfiguredBroker({ folder, properties, java }: BrokerConfiguration): Promise<ServerProcess> {
  const { classPath } = await kafkaDistribution()
  const file = join(folder, 'server.properties')
  writeFileSync(
    file,
    Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  await run(javaCommand, [...java, ...JVM, '-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', file])
  return startServer({
    name: 'Kafka',
    program: javaCommand,
    args: [...java, ...JVM, '-cp', classPath, 'kafka.Kafka', file],
    ready: /Kafka Server started/,
    install: '`apt-get install default-jre-headless maven`',
  })
}
