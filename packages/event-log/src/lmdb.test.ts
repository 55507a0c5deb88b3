import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { open as openLmdb } from 'lmdb'
import { afterAll, describe, expect, it } from 'vitest'
import { eventLogContract } from './contract.ts'
import { LmdbEventLog } from './lmdb.ts'
import { openLog } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const aFolder = (): string => join(folder, `${folders++}`)

const shared = aFolder()
eventLogContract('LMDB', () => openLog(`lmdb:${shared}`))

const at = { topic: 'kill', partition: 0 }
const keep = { partitions: 1, retentionSeconds: null, retentionBytes: null }

/** Runs `code` with the log of `directory` as `log` in another process, and returns its lines. */
function inAnotherProcess(directory: string, code: string, limits = '') {
  const program = `
    const { openLog } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
    const log = await openLog(${JSON.stringify(`lmdb:${directory}`)})
    const at = ${JSON.stringify(at)}
    ${code}`
  const shell = `${limits} exec "$0" "$@"`
  const child = spawn('sh', ['-c', shell, process.execPath, '--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  return { child, lines: createInterface({ input: child.stdout }) }
}

describe('LMDB across processes', () => {
  it('every acknowledged value of a process killed with -9 is stored, in order and once', async () => {
    const directory = aFolder()
    for (const killAfter of [1, 7, 40]) {
      const { child, lines } = inAnotherProcess(
        directory,
        `await log.ensureTopic(at.topic, ${JSON.stringify(keep)})
         for (let n = Number((await log.last(at))?.value.toString() ?? -1) + 1; ; n++) { await log.append(at, [Buffer.from(String(n))]); console.log(n) }`,
      )
      let acknowledged = -1
      let count = 0
      for await (const line of lines) {
        acknowledged = Number(line)
        if (++count === killAfter) child.kill('SIGKILL')
      }
      await using log = await openLog(`lmdb:${directory}`)
      const last = Number(Buffer.from((await log.last(at))?.value ?? []).toString())
      expect(last).toBeGreaterThanOrEqual(acknowledged)
      const values: number[] = []
      const stop = new AbortController()
      for await (const batch of log.read(at, 0n, stop.signal)) {
        values.push(...batch.map(({ value }) => Number(Buffer.from(value).toString())))
        if (values.at(-1) === last) stop.abort()
      }
      expect(values).toEqual(Array.from({ length: last + 1 }, (_, n) => n))
    }
  })

  it('an append to a full disk fails with that reason, and earlier values are stored', async () => {
    const directory = aFolder()
    // No file of that process may grow beyond 4 MB (in units of 512 bytes): writing fails as on a full disk.
    const { child, lines } = inAnotherProcess(
      directory,
      `await log.ensureTopic(at.topic, ${JSON.stringify(keep)})
       let n = 0
       try { for (; n < 100; n++) await log.append(at, [new Uint8Array(300_000).fill(n)]) }
       catch ({ kind, code }) { console.log(JSON.stringify({ kind, code, acknowledged: n })) }
       await new Promise(setImmediate) // an unhandled rejection would end it here
       await log.close()`,
      'ulimit -f 8192;',
    )
    const exited = once(child, 'exit')
    let line = '{}'
    for await (line of lines);
    const { acknowledged, ...error } = JSON.parse(line)
    expect(error).toEqual({ kind: 'unavailable', code: 'log_unreachable' })
    expect(await exited).toEqual([0, null])
    await using log = await openLog(`lmdb:${directory}`)
    expect((await log.last(at))?.value).toEqual(Buffer.alloc(300_000, acknowledged - 1))
    expect(await log.end(at)).toBe(BigInt(acknowledged))
    await log.append(at, [Buffer.from('space again')])
  })

  it('one process reads what another one appends', async () => {
    const directory = aFolder()
    await using log = await openLog(`lmdb:${directory}`)
    await log.ensureTopic(at.topic, keep)
    const { child, lines } = inAnotherProcess(
      directory,
      `const stop = new AbortController()
       console.log('reading')
       for await (const batch of log.read(at, 0n, stop.signal)) {
         for (const { value } of batch) { console.log(value.toString()); if (value.toString() === 'last') stop.abort() }
       }
       await log.close()`,
    )
    const exited = once(child, 'exit')
    const seen: string[] = []
    for await (const line of lines) {
      if (line === 'reading') await log.append(at, [Buffer.from('one')])
      else seen.push(line)
      if (line === 'one') await log.append(at, [Buffer.from('last')])
    }
    await exited
    expect(seen).toEqual(['one', 'last'])
  })
})

describe('retention by age', () => {
  it('an append removes records that are older than the retention, and no others', async () => {
    let now = 1_000
    await using log = new LmdbEventLog(aFolder(), { nowSeconds: () => now })
    await log.ensureTopic(at.topic, { ...keep, retentionSeconds: 60 })
    for (now of [1_000, 1_030, 1_060, 1_091]) await log.append(at, [Buffer.from(`${now}`)])
    // At 1,091 everything appended before 1,031 has expired.
    const stop = new AbortController()
    for await (const batch of log.read(at, 0n, stop.signal)) {
      expect(batch.map(({ value }) => Buffer.from(value).toString())).toEqual(['1060', '1091'])
      stop.abort()
    }
  })

  it('a shortened retention applies with the next append', async () => {
    let now = 1_000
    await using log = new LmdbEventLog(aFolder(), { nowSeconds: () => now })
    await log.ensureTopic(at.topic, keep)
    await log.append(at, [Buffer.from('old')])
    now = 5_000
    await log.ensureTopic(at.topic, { ...keep, retentionSeconds: 60 })
    await log.append(at, [Buffer.from('new')])
    const stop = new AbortController()
    for await (const batch of log.read(at, 0n, stop.signal)) {
      expect(batch.map(({ value }) => Buffer.from(value).toString())).toEqual(['new'])
      stop.abort()
    }
  })
})

describe('errors', () => {
  it('a folder that cannot be opened is named', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, 'not a folder')
    await expect(openLog(`lmdb:${file}`)).rejects.toMatchObject({ kind: 'unavailable', code: 'log_unreachable' })
  })

  it('a full disk refuses a new log with that reason, and the folder opens once there is space', async () => {
    const directory = aFolder()
    const program = `
      const { openLog } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
      await openLog(${JSON.stringify(`lmdb:${directory}`)}).catch(({ kind, code }) => console.log(JSON.stringify({ kind, code })))
      process.exit(0)`
    // Files of 16 KiB at most: enough for the two pages with which LMDB begins, and for none of its databases.
    const args = ['-c', 'ulimit -f 32; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program]
    const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let line = '{}'
    for await (line of createInterface({ input: child.stdout }));
    expect(JSON.parse(line)).toEqual({ kind: 'unavailable', code: 'log_unreachable' })
    await using log = await openLog(`lmdb:${directory}`)
    await log.ensureTopic(at.topic, keep)
    await log.append(at, [Buffer.from('space again')])
    expect(await log.end(at)).toBe(1n)
  })

  it('an address without a driver is refused and named', async () => {
    await expect(openLog('carrier-pigeon:coop')).rejects.toMatchObject({ kind: 'invalid', code: 'log_url_unknown' })
  })

  it('a record that differs from what was appended is named', async () => {
    const directory = aFolder()
    {
      await using log = await openLog(`lmdb:${directory}`)
      await log.ensureTopic(at.topic, keep)
      await log.append(
        at,
        ['a', 'b', 'c'].map((value) => Buffer.from(value)),
      )
    }
    const root = openLmdb({ path: directory, overlappingSync: false, encoding: 'binary' })
    const records = root.openDB('records', { encoding: 'binary', keyEncoding: 'binary' })
    const [, second] = [...records.getRange()]
    const broken = Buffer.from(second?.value)
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
    await records.put(second?.key as Buffer, broken)
    await root.close()
    await using log = await openLog(`lmdb:${directory}`)
    const reading = log.read(at, 0n, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject({
      kind: 'corrupt',
      code: 'log_record_broken',
      context: { topic: 'kill', partition: 0, offset: 1n },
    })
  })
})
