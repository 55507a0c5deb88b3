// Saves a list as a CSV file. A link cannot send the key in a header, so the page loads the file and hands it to the browser.

import { useState } from 'preact/hooks'
import { apiKey } from '../session.ts'

interface CsvButtonProps {
  /** Of the list in `/v1`. */
  readonly path: string
  readonly fileName: string
}

export function CsvButton({ path, fileName }: CsvButtonProps) {
  const [state, setState] = useState<'ready' | 'loading' | 'failed' | 'cut'>('ready')
  const save = async (): Promise<void> => {
    setState('loading')
    try {
      setState((await saveCsv(path, fileName)) ? 'cut' : 'ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <div class="controls">
      <span role="status" class="dim">
        {state === 'failed' && 'The file could not be loaded.'}
        {state === 'cut' && 'The file has the newest rows only; the API has more.'}
      </span>
      <button type="button" class="plain" disabled={state === 'loading'} onClick={() => void save()}>
        {state === 'loading' ? 'Loading CSV' : 'Download CSV'}
      </button>
    </div>
  )
}

/** True if the list has more rows than one file takes. The client of the API parses JSON, so the file is requested without it. */
async function saveCsv(path: string, fileName: string): Promise<boolean> {
  const response = await fetch(path, { headers: { accept: 'text/csv', 'x-service-api-key': apiKey() ?? '' } })
  if (!response.ok) throw new Error(`the API answered ${response.status}`)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
  return response.headers.get('link') !== null
}
