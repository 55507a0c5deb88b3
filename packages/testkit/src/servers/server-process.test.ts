import { expect, it } from 'vitest'
import { startServer } from './server-process.ts'

it('a server that is not installed is reported with the way to install it', async () => {
  const command = { name: 'Nothing', program: 'orrery-no-such-program', args: [], ready: /ready/, install: '`apt-get install nothing`' }
  await expect(startServer(command)).rejects.toThrow(/Nothing could not be started \(.*ENOENT.*needs a real one: `apt-get install nothing`/)
})

it('a server that ends at once is reported with its output', async () => {
  const command = { name: 'Sh', program: 'sh', args: ['-c', 'echo no space; exit 3'], ready: /ready/, install: 'a shell' }
  await expect(startServer(command)).rejects.toThrow(/Sh could not be started \(it ended with 3\)[\s\S]*no space/)
})
