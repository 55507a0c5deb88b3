// Apache Kafka for tests: jars from Maven and a formatted log folder, created once and kept in the cache folder between runs.
// A missing part fails the tests with the reason and what to do. A skipped test would prove nothing.

import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { testCacheFolder } from '../env.ts'
import { javaCommand } from './env.ts'
import { serverProperties } from './server-properties.ts'

const VERSION = '4.3.1'
/** Any UUID as 22 characters of base64. */
const CLUSTER_ID = 'T3JyZXJ5VGVzdHNDbHVzdA'
/** Pinned, so that downloads do not depend on the date. */
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const INSTALL = 'On Debian: apt-get install default-jre-headless maven.'
const ABANDONED_AFTER_MS = 600_000

const run = promisify(execFile)

export interface KafkaDistribution {
  readonly classPath: string
  /** A log folder as formatted by `StorageTool format`. Its ports differ from those of a broker, which Kafka accepts. */
  readonly formattedFolder: string
}

/** @throws Error that names the missing part and how to install it. */
export async function kafkaDistribution(): Promise<KafkaDistribution> {
  await checkJava()
  const home = join(testCacheFolder, `kafka-${VERSION}`)
  const distribution = { classPath: join(home, 'libs', '*'), formattedFolder: join(home, 'formatted') }
  mkdirSync(testCacheFolder, { recursive: true })
  const lock = `${home}.lock`
  while (!existsSync(home)) {
    if (!tryLock(lock)) {
      await delay(100) // another test file is creating it
      continue
    }
    try {
      await make(home)
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
  return distribution
}

/** Created in another folder and then moved, so that an interrupted download does not look finished. */
async function make(home: string): Promise<void> {
  const unfinished = mkdtempSync(`${home}.`)
  try {
    copyFileSync(new URL('./pom.xml', import.meta.url), join(unfinished, 'pom.xml'))
    await download(unfinished)
    const formatted = join(unfinished, 'formatted')
    const properties = join(unfinished, 'server.properties')
    writeFileSync(
      properties,
      serverProperties(formatted, { open: 19_092, locked: 19_093, controller: 19_094, line: 19_095, lineEntrance: 19_096 }),
    )
    const format = ['format', '--standalone', '-t', CLUSTER_ID, '-c', properties]
    await run(javaCommand, ['-cp', join(unfinished, 'libs', '*'), 'kafka.tools.StorageTool', ...format])
    if (!existsSync(home)) renameSync(unfinished, home)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function download(folder: string): Promise<void> {
  const goal = [COPY_DEPENDENCIES, '-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'libs')}`]
  try {
    await run('mvn', ['-B', '-ntp', '-q', ...goal], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  } catch (cause) {
    const { code, stdout = '' } = cause as { readonly code?: unknown; readonly stdout?: string }
    const why = code === 'ENOENT' ? `there is no \`mvn\` on this machine. ${INSTALL}` : `Maven could not fetch Kafka ${VERSION}:\n${stdout}`
    throw new Error(`These tests run on a real Kafka broker, and ${why}`, { cause })
  }
}

async function checkJava(): Promise<void> {
  const needed = 'These tests run on a real Kafka broker, which needs Java 17 or newer'
  const version = await run(javaCommand, ['-version']).catch((cause: unknown) => {
    throw new Error(`${needed}, and \`${javaCommand}\` cannot be run. ${INSTALL}`, { cause })
  })
  const major = Number(/version "(\d+)/.exec(version.stderr)?.[1])
  if (!(major >= 17)) throw new Error(`${needed}, and this one prints:\n${version.stderr}${INSTALL}`)
}

/** A lock: a folder can be created only once. One that a killed run has left is ignored after a while. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > ABANDONED_AFTER_MS) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

/** A log folder for one broker. */
export function formatFolder({ formattedFolder }: KafkaDistribution, directory: string): void {
  cpSync(formattedFolder, directory, { recursive: true })
}
