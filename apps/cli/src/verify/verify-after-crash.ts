// After an unclean end `orrery up` verifies the last hour that it has stored: without sync, or on a disk that acknowledges before it has the data,
// a crash of the operating system or a power loss may have taken rows that ClickHouse had acknowledged. `orrery verify` runs as a process of its own at a low priority, so the API and indexing go on beside it.

import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { completeLedgerOf, type ReadModel } from '@orrery/read-model'
import { EXIT, type Logger } from '@orrery/service-kit'

const BIN = fileURLToPath(new URL('../../bin/orrery.mjs', import.meta.url))
/** Of the time of the network, before the newest complete ledger. */
const LAST_SECONDS = 3_600
const LOWEST_PRIORITY = 19
/** Exit codes of the command. */
const EQUAL = 0
const DIFFERENT = 1

export interface VerifyAfterCrash {
  /** The data folder of this process. */
  readonly folder: string
  readonly readModel: ReadModel
  readonly logger: Logger
  /** Ends the verification. */
  readonly stop: AbortSignal
}

/** The ledgers of the last hour; null where nothing is complete yet. */
async function lastHour(readModel: ReadModel): Promise<{ readonly from: number; readonly to: number } | null> {
  const { ledger: to, closeTimeSeconds } = completeLedgerOf(await readModel.tip())
  if (to === 0) return null
  const options = { tag: { route: 'orrery up', requestId: 'verify-after-crash' } }
  const before = await readModel.ledgerAtOrBefore(closeTimeSeconds - LAST_SECONDS, options)
  return { from: (before?.ledger ?? 0) + 1, to }
}

/** Resolves when the verification has ended; its verdict is stored, and logged here. Never rejects. */
export async function verifyAfterCrash({ folder, readModel, logger, stop }: VerifyAfterCrash): Promise<void> {
  try {
    const range = await lastHour(readModel)
    if (range === null || stop.aborted) return
    logger.warn(
      { ...range, code: 'ended_uncleanly' },
      'The last run on this folder did not end cleanly: verifying the last hour that it stored',
    )
    const { code, stderr } = await run(['verify', '--data', folder, '--from', String(range.from), '--to', String(range.to), '--json'], stop)
    if (stop.aborted) return
    if (code === EQUAL) logger.info(range, 'Verified after an unclean end: every row of the last hour is as its ledgers give it')
    else if (code === DIFFERENT)
      logger.error(
        { ...range, code: 'index_differs' },
        'Rows of the last hour differ from what their ledgers give. Repair them with `orrery replay`',
      )
    else logger.warn({ ...range, code: 'verify_failed', reason: stderr.slice(-2_000) }, 'The verification after an unclean end failed')
  } catch (error) {
    if (!stop.aborted) logger.warn({ err: error, code: 'verify_failed' }, 'The verification after an unclean end failed')
  }
}

async function run(args: readonly string[], stop: AbortSignal): Promise<{ readonly code: number | null; readonly stderr: string }> {
  // The channel ends with this process, however that ends, and the command ends with the channel: see `belongsToUp`.
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const end = (): void => void child.kill('SIGTERM')
  stop.addEventListener('abort', end, { once: true })
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, LOWEST_PRIORITY)
    } catch {
      // It has ended already, or the system does not let us: it is only slower beside other work.
    }
  }
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-10_000)
  })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  try {
    return { code: await ended.promise, stderr }
  } finally {
    stop.removeEventListener('abort', end)
  }
}

/**
 * Whether `orrery up` began this verification. If so, it ends as soon as that process has ended, and reads only what that process serves: a data
 * folder that it locked would be missing for the next run.
 */
export function belongsToUp(): boolean {
  if (process.connected === undefined) return false
  // The other end may have gone while this process was starting, and no event follows then.
  if (!process.connected) process.exit(EXIT.tryLater)
  process.once('disconnect', () => process.exit(EXIT.tryLater))
  process.channel?.unref() // it does not keep the process alive
  return true
}
