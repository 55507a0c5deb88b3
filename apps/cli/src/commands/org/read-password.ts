// A password from stdin: piped, or typed without being shown. Never an option: options are in the list of processes and in the shell's history.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OrreryError } from '@orrery/errors'
import type { CliContext } from '../../cli-context.ts'

/** Far above the longest password: a large file that is piped by mistake is not read to its end. */
const MOST_BYTES = 4096

/** @throws OrreryError `invalid`/`password_missing`. The store decides whether it is acceptable. */
export async function readPassword({ stdin, stderr }: CliContext): Promise<string> {
  const password = stdin.isTTY ? await typed(stdin, stderr) : await piped(stdin)
  if (password !== '') return password
  const message = 'No password came on stdin. Nothing was changed.\nPipe it (`… < password-file`) or type it at the prompt.'
  throw new OrreryError('invalid', 'password_missing', message)
}

async function piped(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > MOST_BYTES) break
  }
  // `echo` and editors add a line end, which is not part of the password.
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

async function typed(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: true })
  try {
    stderr.write('Password (it is not shown): ')
    return await terminal.question('')
  } finally {
    terminal.close()
    stderr.write('\n')
  }
}
