// Chromium of the Debian package, without a window.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'

/** A started browser, which closes itself at the end of `await using`. */
export function launchChromium(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) throw new Error('There is no Chromium on this machine. On Debian: apt-get install chromium.')
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
}
