// A script on a page in a real browser.

import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** Of the Debian package `chromium`. */
const EXECUTABLE = '/usr/bin/chromium'

/** What the script evaluates to, on a page of `url`. */
export async function evaluateInChromium(url: string, script: string): Promise<unknown> {
  if (!existsSync(EXECUTABLE)) throw new Error('There is no Chromium on this machine. On Debian: apt-get install chromium.')
  await using browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  await page.goto(url)
  // Awaited: the browser is closed when this function returns.
  return await page.evaluate(script)
}
