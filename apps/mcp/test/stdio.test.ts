import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { serveStdio } from '../src/index.ts'
import { ANSWER, FakeApi, sendJson } from './fake-api.ts'
import { logLines } from './log-lines.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_protocols', arguments: {} } }

function start({ url }: FakeApi) {
  const { logger, lines } = logLines()
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()]
  const served = serveStdio({ url, apiKey: 'ory_stdio', version: '0.0.0', stdin, stdout, logger, stop: stop.signal })
  const send = (...messages: readonly unknown[]) => messages.forEach((message) => void stdin.write(`${JSON.stringify(message)}\n`))
  const written = () =>
    String(stdout.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
  return { stdin, stop, served, send, written, lines }
}

describe('MCP over stdin and stdout', () => {
  it('calls that run when the client closes stdin are answered before the process ends', async () => {
    await using api = await FakeApi.start()
    const { stdin, served, send, written } = start(api)
    const asked = Promise.withResolvers<ServerResponse>()
    api.serve = (_, response) => asked.resolve(response)
    send(INITIALIZE, CALL)
    stdin.end()
    sendJson(await asked.promise, 200, ANSWER)
    await served
    const answers = written().map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id)).toEqual([1, 2])
    expect(answers[0].result).toMatchObject({
      serverInfo: { name: 'orrery', version: '0.0.0' },
      capabilities: { tools: { listChanged: false } },
      instructions: expect.stringContaining('decimal strings'),
    })
    expect(answers[1].result.structuredContent).toEqual(ANSWER)
    expect(api.asked[0]?.headers['x-service-api-key']).toBe('ory_stdio')
  })

  it('a line that is no message is logged, the next one is answered, and stdout has messages alone', async () => {
    await using api = await FakeApi.start()
    const { stdin, served, send, written, lines } = start(api)
    stdin.write('hello\n{"jsonrpc":"1.0"}\n')
    send(INITIALIZE)
    stdin.end()
    await served
    expect(written().map((line) => JSON.parse(line).id)).toEqual([1])
    expect(lines.filter((line) => line.includes('A message of the MCP client was refused'))).toHaveLength(2)
  })

  it('a stdin that fails ends it as one that is closed, with a line in the log', async () => {
    await using api = await FakeApi.start()
    const { stdin, served, send, written, lines } = start(api)
    send(INITIALIZE)
    await expect.poll(written).toHaveLength(1)
    stdin.destroy(new Error('the terminal is gone'))
    await served
    expect(lines.filter((line) => line.includes('the terminal is gone')).length).toBeGreaterThan(0)
  })

  it('a stop ends it at once and aborts the running call', async () => {
    await using api = await FakeApi.start()
    const { stop, served, send } = start(api)
    const asked = Promise.withResolvers<ServerResponse>()
    api.serve = (_, response) => asked.resolve(response)
    send(INITIALIZE, CALL)
    const response = await asked.promise
    const closed = new Promise((resolve) => response.once('close', resolve))
    stop.abort()
    await Promise.all([served, closed])
  })
})
